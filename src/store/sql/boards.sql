CREATE TABLE board (
  -- Large boards of limits: of those that are alike (src/core/likeness.h) the first one.
  device        INTEGER NOT NULL REFERENCES device (id),
  alike         TEXT NOT NULL,     -- FNV-1a, 64 bits, of what they have in common
  trial         TEXT NOT NULL,     -- name of the trial that it is of
  board         BLOB NOT NULL,     -- packed likewise
  PRIMARY KEY (device, alike)
);
