-- The units of all facilities by size, as the office lists them.
DROP INDEX CONCURRENTLY IF EXISTS units_by_size;
CREATE INDEX CONCURRENTLY units_by_size
  ON units (((width_feet * length_feet)::bigint), (width_feet::bigint), name, id);
