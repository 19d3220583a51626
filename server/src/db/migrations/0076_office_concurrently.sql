-- What the office looks tenants, mails and events up by. Each index is dropped first: a stopped build leaves a broken one.
DROP INDEX CONCURRENTLY IF EXISTS tenants_by_facility_and_name;
CREATE INDEX CONCURRENTLY tenants_by_facility_and_name ON tenants (facility_id, lower(last_name), lower(first_name), id);
DROP INDEX CONCURRENTLY IF EXISTS tenants_by_name;
CREATE INDEX CONCURRENTLY tenants_by_name ON tenants (lower(last_name), lower(first_name), id);
DROP INDEX CONCURRENTLY IF EXISTS payment_methods_by_last_four;
CREATE INDEX CONCURRENTLY payment_methods_by_last_four ON payment_methods (last_four);
DROP INDEX CONCURRENTLY IF EXISTS mails_by_address;
CREATE INDEX CONCURRENTLY mails_by_address ON mails (lower(to_address), position);
DROP INDEX CONCURRENTLY IF EXISTS audit_events_of_tenant;
CREATE INDEX CONCURRENTLY audit_events_of_tenant ON audit_events (tenant_id, id) WHERE tenant_id IS NOT NULL;
DROP INDEX CONCURRENTLY IF EXISTS audit_events_of_staff;
CREATE INDEX CONCURRENTLY audit_events_of_staff ON audit_events (id) WHERE kind = 'staff_action';
DROP INDEX CONCURRENTLY IF EXISTS requests_by_facility;
CREATE INDEX CONCURRENTLY requests_by_facility ON requests (facility_id, created_at, id);
