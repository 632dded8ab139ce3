-- From version 8: it was not known where a run was begun.
ALTER TABLE run ADD COLUMN origin TEXT NOT NULL DEFAULT '';
