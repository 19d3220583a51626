-- Outside of a transaction, so that it commits after each batch of ledgers.
CALL reckon_all_rates_since();
DROP INDEX CONCURRENTLY IF EXISTS ledgers_by_rate_since;
CREATE INDEX CONCURRENTLY ledgers_by_rate_since ON ledgers (coalesce(rate_since, 'infinity'), id) WHERE moved_out_on IS NULL;
