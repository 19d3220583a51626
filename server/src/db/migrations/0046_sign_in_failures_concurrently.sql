-- Failed sign-ins are counted every five minutes.
DROP INDEX CONCURRENTLY IF EXISTS audit_events_sign_in_failed;
CREATE INDEX CONCURRENTLY audit_events_sign_in_failed ON audit_events (at) INCLUDE (account) WHERE kind = 'sign_in_failed';
