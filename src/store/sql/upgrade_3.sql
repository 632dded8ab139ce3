-- From version 3: runs had no identity, and trials no position.
ALTER TABLE run ADD COLUMN uuid TEXT NOT NULL DEFAULT '';
ALTER TABLE run ADD COLUMN folder TEXT NOT NULL DEFAULT '';
ALTER TABLE run ADD COLUMN shard INTEGER;
ALTER TABLE run ADD COLUMN shards INTEGER;
ALTER TABLE trial ADD COLUMN position INTEGER NOT NULL DEFAULT 0;
UPDATE trial SET position = id;
ALTER TABLE trial ADD COLUMN known TEXT;
ALTER TABLE trial ADD COLUMN known_verdicts TEXT;
CREATE INDEX trial_name ON trial (name);
CREATE TABLE source (name TEXT PRIMARY KEY, digest TEXT NOT NULL) WITHOUT ROWID;
