-- From version 6: launches shared one seed, and nothing was said of groups that were in no wait.
ALTER TABLE observation ADD COLUMN overdue INTEGER NOT NULL DEFAULT 0;
ALTER TABLE observation ADD COLUMN seed INTEGER;
ALTER TABLE observation ADD COLUMN busy INTEGER;
ALTER TABLE observation ADD COLUMN busy_at INTEGER;
ALTER TABLE observation ADD COLUMN circle_certain INTEGER;
ALTER TABLE trial ADD COLUMN expected_some TEXT;
ALTER TABLE trial ADD COLUMN expected_rate TEXT;
