-- Read with every gate code and every comparison with the gates: the bank payments that a gate waits for are few.
DROP INDEX CONCURRENTLY IF EXISTS payment_intent_ledgers_gate_waits;
CREATE INDEX CONCURRENTLY payment_intent_ledgers_gate_waits ON payment_intent_ledgers (ledger_id)
  WHERE state = 'pending' AND gate_waits_for IS NOT NULL;
