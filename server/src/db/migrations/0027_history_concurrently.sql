-- A ledger's payment history is read from the indexes alone: its rows lie apart in the tables, one page each, and in a large world
-- each of those pages would come from the disk. An index that a killed start left unfinished is made anew.
DROP INDEX CONCURRENTLY IF EXISTS entries_history;
CREATE INDEX CONCURRENTLY entries_history ON entries (ledger_id, position) INCLUDE (id, kind, amount_cents, posted_on);
DROP INDEX CONCURRENTLY IF EXISTS entries_ledger;

DROP INDEX CONCURRENTLY IF EXISTS payments_history;
CREATE INDEX CONCURRENTLY payments_history ON payments (ledger_id) INCLUDE (entry_id, intent_id, description, receipt_number);
DROP INDEX CONCURRENTLY IF EXISTS payments_ledger_id_idx;

DROP INDEX CONCURRENTLY IF EXISTS payment_intents_being_confirmed;
CREATE INDEX CONCURRENTLY payment_intents_being_confirmed ON payment_intents (id) WHERE state = 'pending';
