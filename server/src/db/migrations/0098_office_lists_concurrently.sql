-- A day's takings are counted by payment, and the mails of a tenant record are listed by it. Each index is dropped first: a
-- stopped build leaves a broken one.
DROP INDEX CONCURRENTLY IF EXISTS takings_by_day_and_payment;
CREATE INDEX CONCURRENTLY takings_by_day_and_payment ON takings (posted_on, facility_id)
  INCLUDE (type, via, reason, payout_id, intent_id, cents);
DROP INDEX CONCURRENTLY IF EXISTS takings_by_day;
DROP INDEX CONCURRENTLY IF EXISTS mails_by_tenant;
CREATE INDEX CONCURRENTLY mails_by_tenant ON mails (tenant_id, position) WHERE tenant_id IS NOT NULL;
COMMENT ON COLUMN mails.tenant_id IS 'the tenant record that it is about, and of whose budget it is where its kind has one';
