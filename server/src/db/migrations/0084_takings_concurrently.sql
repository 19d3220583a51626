-- Outside of a transaction, so that it commits after each batch of ledgers.
CALL reckon_all_for_office();
-- The indexes of the office's lists. Each is dropped first: a stopped build leaves a broken one.
DROP INDEX CONCURRENTLY IF EXISTS takings_by_day;
CREATE INDEX CONCURRENTLY takings_by_day ON takings (posted_on, facility_id) INCLUDE (type, via, reason, payout_id, cents);
DROP INDEX CONCURRENTLY IF EXISTS takings_back;
CREATE INDEX CONCURRENTLY takings_back ON takings (posted_on, facility_id) WHERE cents < 0;
DROP INDEX CONCURRENTLY IF EXISTS takings_by_payout;
CREATE INDEX CONCURRENTLY takings_by_payout ON takings (payout_id) INCLUDE (facility_id, intent_id, cents)
  WHERE payout_id IS NOT NULL;
DROP INDEX CONCURRENTLY IF EXISTS private_policies_by_end;
CREATE INDEX CONCURRENTLY private_policies_by_end ON private_policies (ends_on) WHERE replaced_at IS NULL;
DROP INDEX CONCURRENTLY IF EXISTS payment_methods_by_end;
CREATE INDEX CONCURRENTLY payment_methods_by_end ON payment_methods (expires_on);
DROP INDEX CONCURRENTLY IF EXISTS autopays_by_method;
CREATE INDEX CONCURRENTLY autopays_by_method ON autopays (payment_method_id) WHERE active;
DROP INDEX CONCURRENTLY IF EXISTS owed_charges_by_facility;
CREATE INDEX CONCURRENTLY owed_charges_by_facility ON owed_charges (facility_id, ledger_id)
  INCLUDE (due_on, is_rent, owed_cents);
DROP INDEX CONCURRENTLY IF EXISTS owed_charges_by_day;
CREATE INDEX CONCURRENTLY owed_charges_by_day ON owed_charges (due_on, ledger_id);
DROP INDEX CONCURRENTLY IF EXISTS ledgers_by_move_in;
CREATE INDEX CONCURRENTLY ledgers_by_move_in ON ledgers (moved_in_on);
DROP INDEX CONCURRENTLY IF EXISTS ledgers_by_move_out;
CREATE INDEX CONCURRENTLY ledgers_by_move_out ON ledgers (moved_out_on);
DROP INDEX CONCURRENTLY IF EXISTS ledgers_by_transfer;
CREATE INDEX CONCURRENTLY ledgers_by_transfer ON ledgers (transfer_on) WHERE transfer_on IS NOT NULL;
DROP INDEX CONCURRENTLY IF EXISTS ledgers_by_unit_since;
CREATE INDEX CONCURRENTLY ledgers_by_unit_since ON ledgers (unit_since) WHERE unit_since IS NOT NULL;
DROP INDEX CONCURRENTLY IF EXISTS audit_events_of_facility;
CREATE INDEX CONCURRENTLY audit_events_of_facility ON audit_events (facility_id, id);
DROP INDEX CONCURRENTLY IF EXISTS drawer_entries_by_day;
CREATE INDEX CONCURRENTLY drawer_entries_by_day ON drawer_entries (deposit_on, facility_id);
DROP INDEX CONCURRENTLY IF EXISTS drawer_closings_by_day;
CREATE INDEX CONCURRENTLY drawer_closings_by_day ON drawer_closings (on_day, facility_id);
-- What a member of few facilities looks up, as the indexes of 0033 for all.
DROP INDEX CONCURRENTLY IF EXISTS tenants_here_by_last_name;
CREATE INDEX CONCURRENTLY tenants_here_by_last_name
  ON tenants (facility_id, lower(last_name || ' ' || first_name) text_pattern_ops);
DROP INDEX CONCURRENTLY IF EXISTS tenants_here_by_first_name;
CREATE INDEX CONCURRENTLY tenants_here_by_first_name
  ON tenants (facility_id, lower(first_name || ' ' || last_name) text_pattern_ops);
DROP INDEX CONCURRENTLY IF EXISTS tenants_here_by_email;
CREATE INDEX CONCURRENTLY tenants_here_by_email ON tenants (facility_id, lower(email) text_pattern_ops);
DROP INDEX CONCURRENTLY IF EXISTS tenants_here_by_phone;
CREATE INDEX CONCURRENTLY tenants_here_by_phone ON tenants (facility_id, right(regexp_replace(phone, '\D', '', 'g'), 10));
DROP INDEX CONCURRENTLY IF EXISTS units_here_by_name;
CREATE INDEX CONCURRENTLY units_here_by_name ON units (facility_id, lower(name));
