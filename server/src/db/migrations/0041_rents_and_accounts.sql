-- A transfer that is cancelled takes the rent back that it has scheduled, and no other.
ALTER TABLE ledgers ADD COLUMN transfer_rate_cents bigint;
COMMENT ON COLUMN ledgers.transfer_rate_cents IS 'the rent that was scheduled with the transfer for its day; null for none';
GRANT UPDATE (transfer_rate_cents) ON ledgers TO gatehouse_work;

COMMENT ON COLUMN facilities.gate_grace_days IS 'a unit is suspended so many days after what it owes was due, posted or opened again, whichever is last; 0 is at once';

-- Staff may allow an account again that its bank has stopped.
GRANT DELETE ON stopped_accounts TO gatehouse_work;
