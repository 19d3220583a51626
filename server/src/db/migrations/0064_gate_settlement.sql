-- A bank payment after a lock-out or an earlier return opens the gate once it has settled, where the facility says so.
ALTER TABLE facilities ADD COLUMN gate_waits_for_settlement boolean NOT NULL DEFAULT false;
COMMENT ON COLUMN facilities.gate_waits_for_settlement IS
  'a bank payment after a lock-out, or after an earlier return, opens the gate once it has settled; off: at once';

-- Written with the payment: what decides it then cannot be found out later. A server of the release before writes none,
-- and its payments open the gate at once.
ALTER TABLE payment_intent_ledgers ADD COLUMN gate_waits_for text CHECK (gate_waits_for IN ('lockout', 'return'));
COMMENT ON COLUMN payment_intent_ledgers.gate_waits_for IS
  'why the gate does not count this bank payment before it has settled: the unit was locked out when it was paid, or an earlier bank payment of the tenant was returned; null: it counts at once';

-- Staff change a gate code; it is also changed where a former tenant knows it.
GRANT UPDATE (access_code) ON gate_codes TO gatehouse_work;
