-- From version 7: which scenarios ask what groups see of others was known by their names.
ALTER TABLE trial ADD COLUMN publication INTEGER;
UPDATE trial SET publication = 1 WHERE name GLOB 'publish_*' OR name GLOB 'lock_publication*';
