-- Outside of a transaction, so that it commits after each batch of records.
CALL reckon_all_name_parts();
-- A check or money order is found by its number.
DROP INDEX CONCURRENTLY IF EXISTS payment_intents_by_number;
CREATE INDEX CONCURRENTLY payment_intents_by_number ON payment_intents (lower(method_description))
  WHERE type IN ('check', 'moneyOrder');
