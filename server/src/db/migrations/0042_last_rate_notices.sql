-- What counts is what a tenant was notified of last: a rent that is scheduled again after another one, or after it was cancelled,
-- needs its notice again.
ALTER TABLE rate_notices
  DROP CONSTRAINT rate_notices_ledger_id_effective_on_to_cents_key,
  ADD COLUMN replaced_at timestamptz;
COMMENT ON COLUMN rate_notices.replaced_at IS 'when another notice or a cancellation came after it; null for the last one of its ledger';
UPDATE rate_notices n SET replaced_at = next.created_at FROM (
  SELECT id, lead(created_at) OVER (PARTITION BY ledger_id ORDER BY created_at, id) AS created_at FROM rate_notices
) next WHERE next.id = n.id AND next.created_at IS NOT NULL;
CREATE INDEX rate_notices_last ON rate_notices (ledger_id) WHERE replaced_at IS NULL;
GRANT UPDATE (replaced_at) ON rate_notices TO gatehouse_work;
