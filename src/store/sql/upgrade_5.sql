-- From version 5: there were no blocks of litmus tests.
ALTER TABLE trial ADD COLUMN engine TEXT;
ALTER TABLE trial ADD COLUMN mapping TEXT;
ALTER TABLE trial ADD COLUMN mapping_seed INTEGER;
ALTER TABLE trial ADD COLUMN guarded INTEGER;
ALTER TABLE trial ADD COLUMN suite TEXT;
ALTER TABLE trial ADD COLUMN digest TEXT;
CREATE TABLE litmus (
    trial INTEGER NOT NULL REFERENCES trial (id),
    test INTEGER NOT NULL,
    program TEXT NOT NULL,
    ran INTEGER NOT NULL,
    stalled INTEGER NOT NULL,
    undecided INTEGER NOT NULL,
    confirmed INTEGER NOT NULL,
    cut INTEGER NOT NULL,
    duration_ns INTEGER NOT NULL,
    stall_ns INTEGER,
    groups INTEGER,
    started INTEGER,
    ended INTEGER,
    stuck INTEGER,
    instance INTEGER,
    threads_started INTEGER,
    threads_ended INTEGER,
    memory INTEGER,
    positions TEXT,
    starved INTEGER,
    PRIMARY KEY (trial, test)
) WITHOUT ROWID;
