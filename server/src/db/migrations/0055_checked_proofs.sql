-- Staff accept or refuse a tenant's proof of insurance; one decision replaces the other. A proof
-- that is not decided counts.
ALTER TABLE private_policies
  ADD COLUMN decided_at timestamptz,
  ADD COLUMN decided_by text,
  ADD COLUMN refusal text,
  ADD CONSTRAINT private_policies_decision CHECK (
    (decided_at IS NULL) = (decided_by IS NULL) AND (refusal IS NULL OR decided_at IS NOT NULL));
COMMENT ON COLUMN private_policies.decided_by IS 'the name of the member of staff';
COMMENT ON COLUMN private_policies.refusal IS
  'why it was refused, in a sentence for the tenant; null of one that was accepted or not decided';
CREATE INDEX private_policies_to_check ON private_policies (ledger_id)
  WHERE replaced_at IS NULL AND decided_at IS NULL AND user_id IS NOT NULL;
-- Who serves tenants cannot decide.
REVOKE INSERT ON private_policies FROM gatehouse_app;
GRANT INSERT (ledger_id, company, policy_number, coverage_cents, starts_on, ends_on, user_id, created_at)
  ON private_policies TO gatehouse_app;
GRANT UPDATE (decided_at, decided_by, refusal) ON private_policies TO gatehouse_work;
