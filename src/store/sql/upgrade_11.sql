-- From version 11: words that groups synchronize by had no names, and there were no samples.
ALTER TABLE trial ADD COLUMN names TEXT;
ALTER TABLE observation ADD COLUMN samples BLOB;
