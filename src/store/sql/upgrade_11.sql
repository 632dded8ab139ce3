-- From version 11: there were no samples.
ALTER TABLE observation ADD COLUMN samples BLOB;
