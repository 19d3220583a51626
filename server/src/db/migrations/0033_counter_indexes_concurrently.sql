-- What staff look up over the counter (features/tenants/find.ts). An index that a killed start left unfinished is made anew.
DROP INDEX CONCURRENTLY IF EXISTS tenants_by_last_name;
CREATE INDEX CONCURRENTLY tenants_by_last_name ON tenants (lower(last_name || ' ' || first_name) text_pattern_ops);

DROP INDEX CONCURRENTLY IF EXISTS tenants_by_first_name;
CREATE INDEX CONCURRENTLY tenants_by_first_name ON tenants (lower(first_name || ' ' || last_name) text_pattern_ops);

DROP INDEX CONCURRENTLY IF EXISTS tenants_by_email;
CREATE INDEX CONCURRENTLY tenants_by_email ON tenants (lower(email) text_pattern_ops);

DROP INDEX CONCURRENTLY IF EXISTS tenants_by_phone;
CREATE INDEX CONCURRENTLY tenants_by_phone ON tenants (right(regexp_replace(phone, '\D', '', 'g'), 10));

DROP INDEX CONCURRENTLY IF EXISTS units_by_name;
CREATE INDEX CONCURRENTLY units_by_name ON units (lower(name));

DROP INDEX CONCURRENTLY IF EXISTS ledgers_by_unit;
CREATE INDEX CONCURRENTLY ledgers_by_unit ON ledgers (unit_id);

DROP INDEX CONCURRENTLY IF EXISTS vehicles_by_plate;
CREATE INDEX CONCURRENTLY vehicles_by_plate ON vehicles (upper(regexp_replace(license_plate, '[^A-Za-z0-9]', '', 'g')));

-- The day's takings are read by their day; a day's entries lie side by side.
DROP INDEX CONCURRENTLY IF EXISTS entries_by_day;
CREATE INDEX CONCURRENTLY entries_by_day ON entries USING brin (posted_on) WITH (pages_per_range = 32);
