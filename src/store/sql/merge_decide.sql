-- Which trials there are to be, once main.device has all devices.
CREATE TEMP TABLE device_of AS
    SELECT d.file, d.id AS source, m.id FROM temp.devices d JOIN main.device m
    ON d.platform = m.platform AND d.name = m.name AND d.vendor = m.vendor AND d.driver_version = m.driver_version
    AND d.uuid IS m.uuid AND d.pci IS m.pci AND d.ordinal = m.ordinal;
UPDATE main.device SET wedged = 1 WHERE id IN (
    SELECT o.id FROM device_of o JOIN temp.devices d ON d.file = o.file AND d.id = o.source WHERE d.wedged = 1);
INSERT INTO main.asked (run, place, option, value)
    SELECT run, place, min(option), min(value) FROM temp.asked_of GROUP BY run, place;
INSERT INTO main.share (run, device, planned, own, ended)
    SELECT s.run, o.id, max(s.planned), max(s.own), max(s.ended) FROM temp.shares s
    JOIN device_of o ON o.file = s.file AND o.source = s.device GROUP BY s.run, o.id;
INSERT INTO main.asserted (run, device, kind, name, failed, said)
    SELECT a.run, o.id, a.kind, a.name, max(a.failed), max(a.said) FROM temp.assertions a
    JOIN device_of o ON o.file = a.file AND o.source = a.device GROUP BY a.run, o.id, a.kind, a.name;
UPDATE temp.trials SET device =
    (SELECT id FROM device_of o WHERE o.file = trials.file AND o.source = source_device);
CREATE TEMP TABLE ranked AS
    SELECT *, row_number() OVER (PARTITION BY device, name
        ORDER BY duration_ns IS NULL, duration_ns, verdicts, contents, run, file) AS rank
    FROM temp.trials;
CREATE TEMP TABLE kept AS
    SELECT row_number() OVER (ORDER BY device, position, begun, sequence, name) AS id,
        file, source, device, name, verdicts
    FROM ranked WHERE rank = 1;
CREATE INDEX kept_file ON kept (file, source);
CREATE INDEX kept_name ON kept (device, name);
INSERT INTO main.source SELECT name, min(digest) FROM temp.sources GROUP BY name;
