-- What demo/run/registration.mjs does, for PostgreSQL.
BEGIN;
DELETE FROM installed_packages WHERE "packageName" = :'description'::json->>'name';
INSERT INTO installed_packages
SELECT it->>'name', it->>'version', it->'author'->>'name', it->'author'->>'email', now(), now()
FROM (SELECT :'description'::json AS it) AS given;
INSERT INTO installed_nodes (name, type, "latestVersion", package)
SELECT node->>'displayName', node->>'type', (node->>'version')::int, :'description'::json->>'name'
FROM json_array_elements(:'description'::json->'nodes') AS node;
COMMIT;
