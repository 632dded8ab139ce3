-- What the files have that are merged: which trial comes from where, and which row it gets.
CREATE TEMP TABLE runs AS SELECT * FROM main.run;
CREATE TEMP TABLE asked_of AS SELECT * FROM main.asked;
CREATE TEMP TABLE devices AS SELECT 0 AS file, * FROM main.device;
CREATE TEMP TABLE shares AS SELECT 0 AS file, * FROM main.share;
CREATE TEMP TABLE assertions AS SELECT 0 AS file, * FROM main.asserted;
CREATE TEMP TABLE sources AS SELECT * FROM main.source;
CREATE TEMP TABLE trials (
    file INTEGER, source INTEGER, source_device INTEGER, device INTEGER, name TEXT, position INTEGER, begun INTEGER,
    sequence INTEGER, duration_ns INTEGER, verdicts TEXT, run TEXT, contents TEXT
);
CREATE TEMP TABLE tests (
    file INTEGER, source INTEGER, test INTEGER, verdicts TEXT,
    PRIMARY KEY (file, source, test)
) WITHOUT ROWID;
