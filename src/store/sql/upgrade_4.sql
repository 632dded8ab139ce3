-- From version 4: launches had no causes.
ALTER TABLE trial ADD COLUMN fuse INTEGER;
ALTER TABLE trial ADD COLUMN expected_causes TEXT;
ALTER TABLE observation ADD COLUMN churned INTEGER NOT NULL DEFAULT 0;
ALTER TABLE observation ADD COLUMN circle_groups INTEGER;
ALTER TABLE observation ADD COLUMN items_at INTEGER;
ALTER TABLE observation ADD COLUMN unlock_at INTEGER;
ALTER TABLE observation ADD COLUMN uneven_at INTEGER;
ALTER TABLE observation ADD COLUMN lost_at INTEGER;
ALTER TABLE observation ADD COLUMN signal_at INTEGER;
ALTER TABLE verdict ADD COLUMN cause TEXT;
