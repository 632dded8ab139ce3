-- From version 8: what chose a shard, whether a run came to its end, and where it was begun, was not noted.
ALTER TABLE run ADD COLUMN shard_by TEXT;
ALTER TABLE run ADD COLUMN devices INTEGER;
CREATE TABLE share (run TEXT NOT NULL, device INTEGER NOT NULL, planned INTEGER NOT NULL, own INTEGER NOT NULL,
    ended INTEGER NOT NULL, PRIMARY KEY (run, device)) WITHOUT ROWID;
ALTER TABLE run ADD COLUMN origin TEXT NOT NULL DEFAULT '';
