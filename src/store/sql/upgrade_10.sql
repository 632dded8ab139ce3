-- From version 10: no promise quoted another run.
ALTER TABLE trial ADD COLUMN quoted TEXT;
