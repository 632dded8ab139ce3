-- From version 9: there were no promises.
ALTER TABLE trial ADD COLUMN offered INTEGER;
ALTER TABLE trial ADD COLUMN promise_undecided INTEGER;
ALTER TABLE trial ADD COLUMN promised INTEGER;
ALTER TABLE trial ADD COLUMN measured INTEGER;
ALTER TABLE trial ADD COLUMN tries INTEGER;
ALTER TABLE trial ADD COLUMN fails INTEGER;
ALTER TABLE trial ADD COLUMN finding TEXT;
