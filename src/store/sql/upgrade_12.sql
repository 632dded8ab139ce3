-- From version 12: no kernel measured how long a hand-over takes.
ALTER TABLE observation ADD COLUMN handover_ps INTEGER;
