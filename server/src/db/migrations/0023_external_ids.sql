-- The operator's own ids of what was imported (docs/import.md), so that a second import finds each row again. What was made
-- here has none, and goes by its own id. Out of reach for those who serve: only the owner imports and exports.
CREATE TABLE external_ids (
  facility_id uuid NOT NULL REFERENCES facilities,
  kind text NOT NULL CHECK (kind IN ('discount_plan', 'protection_plan', 'tenant', 'ledger', 'charge', 'payment', 'plan_term',
    'private_policy', 'document', 'payment_method')),
  external_id text NOT NULL CHECK (external_id <> ''),
  row_id uuid NOT NULL,
  PRIMARY KEY (facility_id, kind, external_id)
);
CREATE UNIQUE INDEX ON external_ids (row_id);
COMMENT ON COLUMN external_ids.row_id IS 'of an entry for a charge or payment, else of the row of that kind';

-- A payment that was taken elsewhere before: our gateway knows nothing of it.
ALTER TABLE payment_intents DROP CONSTRAINT payment_intents_initiator_check,
  ADD CONSTRAINT payment_intents_initiator_check CHECK (initiator IN ('tenant', 'autopay', 'import'));
