-- What a facility bills and how. A tax or fee of 0 is none.
ALTER TABLE facilities
  ADD COLUMN billing_kind text NOT NULL DEFAULT 'anniversary'
    CHECK (billing_kind IN ('anniversary', 'first_of_month', 'twenty_eight_days')),
  ADD COLUMN rent_tax1_basis_points integer NOT NULL DEFAULT 0 CHECK (rent_tax1_basis_points BETWEEN 0 AND 10000),
  ADD COLUMN rent_tax2_basis_points integer NOT NULL DEFAULT 0 CHECK (rent_tax2_basis_points BETWEEN 0 AND 10000),
  ADD COLUMN insurance_tax1_basis_points integer NOT NULL DEFAULT 0
    CHECK (insurance_tax1_basis_points BETWEEN 0 AND 10000),
  ADD COLUMN insurance_tax2_basis_points integer NOT NULL DEFAULT 0
    CHECK (insurance_tax2_basis_points BETWEEN 0 AND 10000),
  ADD COLUMN late_fee_cents bigint NOT NULL DEFAULT 0 CHECK (late_fee_cents >= 0),
  ADD COLUMN late_fee_after_days integer NOT NULL DEFAULT 5 CHECK (late_fee_after_days > 0),
  ADD COLUMN return_fee_cents bigint NOT NULL DEFAULT 0 CHECK (return_fee_cents >= 0),
  ADD COLUMN rate_notice_days integer NOT NULL DEFAULT 30 CHECK (rate_notice_days >= 10);
COMMENT ON COLUMN facilities.late_fee_cents IS 'posted once a rent period that is still open after late_fee_after_days; 0 is off';
COMMENT ON COLUMN facilities.return_fee_cents IS 'posted once a bank payment that is returned; 0 is off';
COMMENT ON COLUMN facilities.rate_notice_days IS 'how many days before a rate change its notice must have been mailed';
COMMENT ON COLUMN facilities.card_fee_cents IS 'billed with each period while autopay charges a credit card; 0 is off';

-- A plan says how much it takes off the rent, before tax, as a share or a sum; one that has ended bills nothing any more.
ALTER TABLE discount_plans
  ADD COLUMN basis_points integer CHECK (basis_points BETWEEN 1 AND 10000),
  ADD COLUMN amount_cents bigint CHECK (amount_cents > 0),
  ADD COLUMN ended_on date,
  ADD CHECK (num_nonnulls(basis_points, amount_cents) <= 1);
ALTER TABLE protection_plans ADD COLUMN ended_on date;

ALTER TABLE ledgers
  ADD COLUMN billing_day smallint CHECK (billing_day BETWEEN 1 AND 31),
  ADD COLUMN billed_through date,
  ADD COLUMN is_taxed boolean NOT NULL DEFAULT false,
  ADD COLUMN is_on_hold boolean NOT NULL DEFAULT false,
  ADD COLUMN version bigint NOT NULL DEFAULT 0;
UPDATE ledgers SET
  billing_day = coalesce(
    (SELECT max(extract(day FROM due_on)) FROM charges c WHERE c.ledger_id = ledgers.id AND c.category = 'rent'),
    extract(day FROM moved_in_on)),
  billed_through = coalesce(
    (SELECT max(period_end) FROM charges c WHERE c.ledger_id = ledgers.id AND c.category = 'rent'), moved_in_on - 1),
  is_taxed = EXISTS (
    SELECT FROM charges c WHERE c.ledger_id = ledgers.id AND c.category = 'rent' AND c.tax1_cents + c.tax2_cents > 0);
ALTER TABLE ledgers ALTER COLUMN billing_day SET NOT NULL, ALTER COLUMN billed_through SET NOT NULL;
CREATE INDEX ledgers_to_bill ON ledgers (billed_through, id)
  WHERE moved_out_on IS NULL OR moved_out_on > billed_through + 1;
COMMENT ON COLUMN ledgers.billing_day IS 'the day of the month on which anniversary billing begins a period; the 29th to 31st fall back to the month''s end';
COMMENT ON COLUMN ledgers.billed_through IS 'the last day that has been billed; the day before move-in until something is';
COMMENT ON COLUMN ledgers.is_taxed IS 'whether the facility''s taxes apply, as staff decided it from the unit''s contents';
COMMENT ON COLUMN ledgers.is_on_hold IS 'staff stopped collecting: billed on, but no autopay and no late fee';
COMMENT ON COLUMN ledgers.version IS 'counts the postings: what was reckoned from an older reading is not written (postings.ts)';

-- One run a facility and day; started again it goes on where it was.
CREATE TABLE billing_runs (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  facility_id uuid NOT NULL REFERENCES facilities,
  run_on date NOT NULL,
  started_at timestamptz NOT NULL,
  finished_at timestamptz,
  UNIQUE (facility_id, run_on)
);

-- Every period is billed exactly once: this row is written with its charges.
CREATE TABLE billed_periods (
  ledger_id uuid NOT NULL REFERENCES ledgers,
  due_on date NOT NULL,
  period_end date NOT NULL CHECK (period_end >= due_on),
  rate_cents bigint NOT NULL,
  posted_at timestamptz NOT NULL,
  PRIMARY KEY (ledger_id, due_on)
);
COMMENT ON COLUMN billed_periods.rate_cents IS 'the rental rate that the period was billed at';
INSERT INTO billed_periods (ledger_id, due_on, period_end, rate_cents, posted_at)
  SELECT c.ledger_id, c.due_on, c.period_end, c.price_cents, e.created_at
  FROM charges c JOIN entries e ON e.id = c.entry_id WHERE c.category = 'rent';

ALTER TABLE charges ADD COLUMN late_for uuid UNIQUE REFERENCES charges;
COMMENT ON COLUMN charges.late_for IS 'the rent charge that a late fee is for: one each';

-- The notice of a rate change (domain.md section 5): without one in time the change is not applied.
CREATE TABLE rate_notices (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  ledger_id uuid NOT NULL REFERENCES ledgers,
  from_cents bigint NOT NULL,
  to_cents bigint NOT NULL,
  effective_on date NOT NULL,
  mail_id uuid NOT NULL REFERENCES mails,
  created_at timestamptz NOT NULL,
  UNIQUE (ledger_id, effective_on, to_cents)
);
CREATE TABLE rate_changes (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  ledger_id uuid NOT NULL REFERENCES ledgers,
  rate_notice_id uuid NOT NULL UNIQUE REFERENCES rate_notices,
  from_cents bigint NOT NULL,
  to_cents bigint NOT NULL,
  effective_on date NOT NULL,
  applied_on date NOT NULL
);
CREATE INDEX ON rate_changes (ledger_id);

-- What a person has to look at; `key` keeps one trouble from being told twice.
CREATE TABLE alarms (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  kind text NOT NULL,
  key text NOT NULL UNIQUE,
  facility_id uuid REFERENCES facilities,
  sentence text NOT NULL,
  facts jsonb NOT NULL,
  raised_at timestamptz NOT NULL
);
CREATE INDEX ON alarms (kind, raised_at);

GRANT SELECT, INSERT ON billed_periods, rate_notices, rate_changes, alarms TO gatehouse_app;
GRANT SELECT, INSERT, UPDATE ON billing_runs TO gatehouse_app;
GRANT UPDATE (rental_rate_cents, scheduled_rate_cents, scheduled_rate_on, billed_through, version) ON ledgers TO gatehouse_app;
