-- A rental that continues with another tenant: a ledger of its own, so that what was paid stays
-- with who paid it.
ALTER TABLE ledgers ADD COLUMN continues_ledger_id uuid UNIQUE REFERENCES ledgers;
COMMENT ON COLUMN ledgers.continues_ledger_id IS
  'the ended ledger of the tenant before, whose rental this one is; null of one that began anew';
ALTER TABLE credits ADD COLUMN is_assigned boolean NOT NULL DEFAULT false,
  ADD CONSTRAINT assigned_of_a_charge CHECK (NOT is_assigned OR charge_entry_id IS NOT NULL);
COMMENT ON COLUMN credits.is_assigned IS
  'a waiver of what another tenant is charged instead: for the journal the charge is taken back';

-- Whose payments settled what an assignment takes back stays the payer's in the paper of the year.
CREATE OR REPLACE VIEW dated_allocations WITH (security_invoker = true) AS
  SELECT a.credit_entry_id, a.charge_entry_id, a.amount_cents,
    greatest(a.made_on, credit.posted_on, charge.posted_on, back.posted_on) AS counts_on,
    a.reversal_entry_id
  FROM allocations a
  JOIN entries credit ON credit.id = a.credit_entry_id
  JOIN entries charge ON charge.id = a.charge_entry_id
  LEFT JOIN entries back ON back.id = a.reversal_entry_id;
