-- What counts is what a tenant was notified of last: a rent that is scheduled again after another one, or after it was cancelled,
-- needs its notice again.
ALTER TABLE rate_notices
  DROP CONSTRAINT rate_notices_ledger_id_effective_on_to_cents_key,
  ADD COLUMN replaced_at timestamptz;
COMMENT ON COLUMN rate_notices.replaced_at IS 'when another notice or a cancellation came after it; null for the last one of its ledger';
UPDATE rate_notices n SET replaced_at = (
  SELECT min(later.created_at) FROM rate_notices later WHERE later.ledger_id = n.ledger_id AND later.created_at > n.created_at);
CREATE INDEX rate_notices_last ON rate_notices (ledger_id) WHERE replaced_at IS NULL;
GRANT UPDATE (replaced_at) ON rate_notices TO gatehouse_work;

-- A transfer that is cancelled takes the rent back that it has scheduled, and no other.
ALTER TABLE ledgers ADD COLUMN transfer_rate_cents bigint;
COMMENT ON COLUMN ledgers.transfer_rate_cents IS 'the rent that was scheduled with the transfer for its day; null for none';
GRANT UPDATE (transfer_rate_cents) ON ledgers TO gatehouse_work;

COMMENT ON COLUMN facilities.gate_grace_days IS 'a unit is suspended so many days after what it owes was due, posted or opened again, whichever is last; 0 is at once';

-- Staff may allow an account again that its bank has stopped.
GRANT DELETE ON stopped_accounts TO gatehouse_work;
