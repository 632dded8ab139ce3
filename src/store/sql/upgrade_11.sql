-- From version 11: words that groups synchronize by had no names.
ALTER TABLE trial ADD COLUMN names TEXT;
