-- What staff post at the counter: payments by cash, check and money order, credits, waivers and deposits, each under the
-- key of its caller.

-- One row for each staff action (features/staff-actions): repeated under its key it answers the same again.
CREATE TABLE staff_actions (
  key uuid PRIMARY KEY,
  verb text NOT NULL,
  request_hash bytea NOT NULL,
  by_name text NOT NULL CHECK (length(by_name) BETWEEN 1 AND 100),
  why text NOT NULL CHECK (length(why) <= 500),
  facility_id uuid REFERENCES facilities,
  at timestamptz NOT NULL,
  answer json
);
COMMENT ON COLUMN staff_actions.answer IS 'null only inside the transaction that does the work';
CREATE INDEX ON staff_actions (at);
GRANT SELECT, INSERT, UPDATE (answer) ON staff_actions TO gatehouse_work;

ALTER TABLE charges DROP CONSTRAINT charges_category_check,
  ADD CONSTRAINT charges_category_check CHECK (category IN ('rent', 'service', 'insurance', 'fee', 'deposit'));

-- A payment that staff took at the counter has an intent as well, so that receipts, history and reports are the same.
ALTER TABLE payment_intents
  DROP CONSTRAINT payment_intents_type_check,
  DROP CONSTRAINT payment_intents_initiator_check,
  ADD CONSTRAINT payment_intents_type_check CHECK (type IN ('creditCard', 'ach', 'cash', 'check', 'moneyOrder')),
  ADD CONSTRAINT payment_intents_initiator_check CHECK (initiator IN ('tenant', 'autopay', 'import', 'staff'));

ALTER TABLE reversals
  DROP CONSTRAINT reversals_reason_check,
  ADD CONSTRAINT reversals_reason_check
    CHECK (reason IN ('return', 'refund', 'correction', 'nsf', 'chargeback', 'mistake', 'moved'));
COMMENT ON COLUMN reversals.reason IS
  'nsf: a check that bounced; moved: an open credit that went to another ledger; correction: as an import said it';

-- A waiver is a credit that falls on the charge it names and gives the charge's tax back in proportion.
ALTER TABLE credits
  ADD COLUMN charge_entry_id uuid REFERENCES charges,
  ADD COLUMN tax1_cents bigint NOT NULL DEFAULT 0 CHECK (tax1_cents >= 0),
  ADD COLUMN tax2_cents bigint NOT NULL DEFAULT 0 CHECK (tax2_cents >= 0),
  ADD CONSTRAINT tax_of_a_waiver CHECK (charge_entry_id IS NOT NULL OR tax1_cents + tax2_cents = 0);
CREATE INDEX ON credits (charge_entry_id) WHERE charge_entry_id IS NOT NULL;
COMMENT ON COLUMN credits.charge_entry_id IS 'the charge that a waiver falls on; null for any other credit';
COMMENT ON COLUMN allocations.reversal_entry_id IS
  'below 0 alone: the reversal that takes the payment back, or the waiver whose charge the payment had settled';

ALTER TABLE alarms
  ADD COLUMN closed_at timestamptz,
  ADD COLUMN closed_by text,
  ADD COLUMN closed_why text,
  ADD CONSTRAINT closed_by_somebody CHECK ((closed_at IS NULL) = (closed_by IS NULL));
CREATE INDEX alarms_open ON alarms (raised_at) WHERE closed_at IS NULL;
GRANT UPDATE (closed_at, closed_by, closed_why) ON alarms TO gatehouse_work;
