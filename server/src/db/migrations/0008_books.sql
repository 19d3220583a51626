-- The books of the rentals, in integer cents. The role that serves may read and insert entries and
-- what belongs to them, and nothing else: a mistake is put right by another entry.

-- What happened on a ledger. A debit is above 0 (charge, reversal of a payment), a credit below
-- (payment, credit); a month that is discounted in full is a charge of 0.
CREATE TABLE entries (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  position bigint GENERATED ALWAYS AS IDENTITY,
  ledger_id uuid NOT NULL REFERENCES ledgers,
  facility_id uuid NOT NULL,
  kind text NOT NULL CHECK (kind IN ('charge', 'payment', 'credit', 'reversal')),
  amount_cents bigint NOT NULL,
  posted_on date NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  CHECK (CASE kind
    WHEN 'charge' THEN amount_cents >= 0
    WHEN 'reversal' THEN amount_cents > 0
    ELSE amount_cents < 0 END)
);
COMMENT ON COLUMN entries.facility_id IS
  'the rental''s, for what is read by facility and day; without a foreign key, so that no posting '
  'locks its facility';
-- A ledger's payment history is read from indexes only: its rows are far apart in the tables, one
-- page each, and in a large database each of those pages would come from the disk.
CREATE INDEX entries_history ON entries (ledger_id, position)
  INCLUDE (id, kind, amount_cents, posted_on);
-- The revenue of some months; a day's entries are next to each other.
CREATE INDEX entries_by_day ON entries USING brin (posted_on) WITH (pages_per_range = 32);
-- A day's takings.
CREATE INDEX entries_of_money_by_day ON entries (posted_on, facility_id) WHERE kind <> 'charge';
ALTER TABLE entries ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY own ON entries TO gatehouse_app
  USING (ledger_id = ANY ((SELECT own_ledgers())::uuid[]));
CREATE POLICY work ON entries TO gatehouse_work USING (true);
CREATE POLICY office ON entries FOR SELECT TO gatehouse_office USING ((SELECT office_is_all())
  OR EXISTS (SELECT FROM office_ledgers reach WHERE reach.id = ledger_id));
GRANT SELECT, INSERT ON entries TO gatehouse_app;
GRANT SELECT ON entries TO gatehouse_office;

CREATE VIEW office_entries AS
  SELECT e.id
  FROM entries e JOIN ledgers l ON l.id = e.ledger_id JOIN tenants t ON t.id = l.tenant_id
  WHERE t.facility_id = ANY ((SELECT office_facilities())::uuid[]);
GRANT SELECT ON office_entries TO gatehouse_office;

-- What an entry charges for.
CREATE TABLE charges (
  entry_id uuid PRIMARY KEY REFERENCES entries,
  ledger_id uuid NOT NULL REFERENCES ledgers,
  category text NOT NULL CHECK (category IN ('rent', 'service', 'insurance', 'fee', 'deposit')),
  description text NOT NULL,
  due_on date NOT NULL,
  period_end date,
  price_cents bigint NOT NULL CHECK (price_cents >= 0),
  discount_cents bigint NOT NULL DEFAULT 0
    CHECK (discount_cents >= 0 AND discount_cents <= price_cents),
  tax1_cents bigint NOT NULL DEFAULT 0 CHECK (tax1_cents >= 0),
  tax2_cents bigint NOT NULL DEFAULT 0 CHECK (tax2_cents >= 0),
  late_for uuid UNIQUE REFERENCES charges,
  CHECK ((category = 'rent') = (period_end IS NOT NULL)),
  CHECK (period_end IS NULL OR period_end >= due_on)
);
COMMENT ON COLUMN charges.due_on IS
  'the due date; for rent also the first day of the period that it covers';
COMMENT ON COLUMN charges.late_for IS 'the rent charge that a late fee is for: one each';
CREATE INDEX charges_ledger ON charges (ledger_id, due_on);
CREATE UNIQUE INDEX charges_rent_period ON charges (ledger_id, due_on) WHERE category = 'rent';
ALTER TABLE charges ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY own ON charges TO gatehouse_app
  USING (ledger_id = ANY ((SELECT own_ledgers())::uuid[]));
CREATE POLICY work ON charges TO gatehouse_work USING (true);
CREATE POLICY office ON charges FOR SELECT TO gatehouse_office USING ((SELECT office_is_all())
  OR EXISTS (SELECT FROM office_ledgers reach WHERE reach.id = ledger_id));
GRANT SELECT, INSERT ON charges TO gatehouse_app;
GRANT SELECT ON charges TO gatehouse_office;

-- What of a payment or credit settles which charge; below 0 where a reversal takes it back.
CREATE TABLE allocations (
  id bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
  credit_entry_id uuid NOT NULL REFERENCES entries,
  charge_entry_id uuid NOT NULL REFERENCES charges,
  amount_cents bigint NOT NULL CHECK (amount_cents <> 0),
  reversal_entry_id uuid REFERENCES entries,
  CONSTRAINT below_zero_is_reversed CHECK ((amount_cents < 0) = (reversal_entry_id IS NOT NULL))
);
COMMENT ON COLUMN allocations.credit_entry_id IS
  'the payment or credit; also where a reversal takes some of it back';
COMMENT ON COLUMN allocations.reversal_entry_id IS
  'only below 0: the reversal that takes the payment back, or the waiver whose charge the payment '
  'had settled';
CREATE INDEX ON allocations (charge_entry_id);
CREATE INDEX ON allocations (credit_entry_id);
ALTER TABLE allocations ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY own ON allocations TO gatehouse_app
  USING (EXISTS (SELECT FROM charges c WHERE c.entry_id = charge_entry_id));
CREATE POLICY work ON allocations TO gatehouse_work USING (true);
CREATE POLICY office ON allocations FOR SELECT TO gatehouse_office USING ((SELECT office_is_all())
  OR EXISTS (SELECT FROM office_entries reach WHERE reach.id = charge_entry_id));
GRANT SELECT, INSERT ON allocations TO gatehouse_app;
GRANT SELECT ON allocations TO gatehouse_office;

-- What is still owed of each charge that has something owed. A ledger's are found from the first
-- that is due, so that the charges which were paid before it are not read, however many there are:
-- OFFSET 0 keeps the planner from reading all of them and looking the ledger up for each. So they
-- are asked for by their ledger.
CREATE VIEW open_charges WITH (security_invoker = true) AS
  SELECT open.entry_id, l.id AS ledger_id, open.category, open.description, open.due_on,
    open.period_end, open.price_cents, open.discount_cents, open.tax1_cents, open.tax2_cents,
    open.position, open.owed_cents
  FROM ledgers l
  CROSS JOIN LATERAL (
    SELECT c.*, e.position, e.amount_cents - settled.cents AS owed_cents
    FROM charges c
    JOIN entries e ON e.id = c.entry_id
    CROSS JOIN LATERAL (
      SELECT coalesce(sum(a.amount_cents), 0)::bigint AS cents
      FROM allocations a WHERE a.charge_entry_id = c.entry_id
    ) settled
    WHERE c.ledger_id = l.id AND c.due_on >= l.owed_since AND e.amount_cents > settled.cents
    OFFSET 0
  ) open;
GRANT SELECT ON open_charges TO gatehouse_app, gatehouse_office;

-- A credit of the tenant that is no payment: an adjustment in the tenant's favour, or a waiver,
-- which falls on the charge it names and gives the charge's tax back in proportion.
CREATE TABLE credits (
  entry_id uuid PRIMARY KEY REFERENCES entries,
  ledger_id uuid NOT NULL REFERENCES ledgers,
  description text NOT NULL,
  charge_entry_id uuid REFERENCES charges,
  tax1_cents bigint NOT NULL DEFAULT 0 CHECK (tax1_cents >= 0),
  tax2_cents bigint NOT NULL DEFAULT 0 CHECK (tax2_cents >= 0),
  CONSTRAINT tax_of_a_waiver CHECK (charge_entry_id IS NOT NULL OR tax1_cents + tax2_cents = 0)
);
COMMENT ON COLUMN credits.charge_entry_id IS
  'the charge that a waiver falls on; null for any other credit';
CREATE INDEX ON credits (charge_entry_id) WHERE charge_entry_id IS NOT NULL;
ALTER TABLE credits ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY own ON credits TO gatehouse_app
  USING (ledger_id = ANY ((SELECT own_ledgers())::uuid[]));
CREATE POLICY work ON credits TO gatehouse_work USING (true);
CREATE POLICY office ON credits FOR SELECT TO gatehouse_office USING ((SELECT office_is_all())
  OR EXISTS (SELECT FROM office_ledgers reach WHERE reach.id = ledger_id));
GRANT SELECT, INSERT ON credits TO gatehouse_app;
GRANT SELECT ON credits TO gatehouse_office;

-- A reversal takes a payment back: a return wholly and once, a refund in part or wholly. What the
-- payment had settled is open again by allocations below 0 under the same payment.
CREATE TABLE reversals (
  entry_id uuid PRIMARY KEY REFERENCES entries,
  payment_entry_id uuid NOT NULL REFERENCES entries,
  ledger_id uuid NOT NULL REFERENCES ledgers,
  reason text NOT NULL
    CHECK (reason IN ('return', 'refund', 'correction', 'nsf', 'chargeback', 'mistake', 'moved')),
  description text NOT NULL
);
COMMENT ON COLUMN reversals.reason IS
  'nsf: a check that bounced; moved: an open credit that went to another ledger; correction: as an '
  'import said it';
CREATE UNIQUE INDEX one_return ON reversals (payment_entry_id) WHERE reason = 'return';
CREATE INDEX ON reversals (payment_entry_id);
CREATE INDEX ON reversals (ledger_id);
ALTER TABLE reversals ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY own ON reversals TO gatehouse_app
  USING (ledger_id = ANY ((SELECT own_ledgers())::uuid[]));
CREATE POLICY work ON reversals TO gatehouse_work USING (true);
CREATE POLICY office ON reversals FOR SELECT TO gatehouse_office USING ((SELECT office_is_all())
  OR EXISTS (SELECT FROM office_ledgers reach WHERE reach.id = ledger_id));
GRANT SELECT, INSERT ON reversals TO gatehouse_app;
GRANT SELECT ON reversals TO gatehouse_office;

-- What of each payment or credit has settled no charge and was not taken back: it is used before
-- anything is charged.
CREATE VIEW open_credits WITH (security_invoker = true) AS
  SELECT e.id AS entry_id, e.ledger_id, e.position,
    -e.amount_cents - coalesce(back.cents, 0) - coalesce(used.cents, 0) AS left_cents
  FROM entries e
  LEFT JOIN LATERAL (
    SELECT sum(r.amount_cents)::bigint AS cents
    FROM reversals rev JOIN entries r ON r.id = rev.entry_id WHERE rev.payment_entry_id = e.id
  ) back ON true
  LEFT JOIN LATERAL (
    SELECT sum(a.amount_cents)::bigint AS cents FROM allocations a WHERE a.credit_entry_id = e.id
  ) used ON true
  WHERE e.amount_cents < 0 AND -e.amount_cents > coalesce(back.cents, 0) + coalesce(used.cents, 0);
GRANT SELECT ON open_credits TO gatehouse_app, gatehouse_office;

-- One run a facility and day; started again it continues where it was. `reminded_at` is when the
-- reminders of the day were queued.
CREATE TABLE billing_runs (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  facility_id uuid NOT NULL REFERENCES facilities,
  run_on date NOT NULL,
  started_at timestamptz NOT NULL,
  finished_at timestamptz,
  reminded_at timestamptz,
  UNIQUE (facility_id, run_on)
);
GRANT SELECT ON billing_runs TO gatehouse_app;
GRANT INSERT, UPDATE ON billing_runs TO gatehouse_work;

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
ALTER TABLE billed_periods ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY own ON billed_periods TO gatehouse_app
  USING (ledger_id = ANY ((SELECT own_ledgers())::uuid[]));
CREATE POLICY work ON billed_periods TO gatehouse_work USING (true);
CREATE POLICY office ON billed_periods FOR SELECT TO gatehouse_office
  USING ((SELECT office_is_all())
    OR EXISTS (SELECT FROM office_ledgers reach WHERE reach.id = ledger_id));
GRANT SELECT, INSERT ON billed_periods TO gatehouse_app;
GRANT SELECT ON billed_periods TO gatehouse_office;

-- The notice of a rate change: without one in time the change is not applied. What counts is the
-- last notice of a tenant: a rent that is scheduled again after another one, or after it was
-- cancelled, needs its notice again.
CREATE TABLE rate_notices (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  ledger_id uuid NOT NULL REFERENCES ledgers,
  from_cents bigint NOT NULL,
  to_cents bigint NOT NULL,
  effective_on date NOT NULL,
  mail_id uuid NOT NULL REFERENCES mails,
  created_at timestamptz NOT NULL,
  replaced_at timestamptz
);
COMMENT ON COLUMN rate_notices.replaced_at IS
  'when another notice or a cancellation came after it; null for the last one of its ledger';
-- Read for each mail that is forgotten.
CREATE INDEX ON rate_notices (mail_id);
CREATE INDEX rate_notices_last ON rate_notices (ledger_id) WHERE replaced_at IS NULL;
ALTER TABLE rate_notices ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY own ON rate_notices TO gatehouse_app
  USING (ledger_id = ANY ((SELECT own_ledgers())::uuid[]));
CREATE POLICY work ON rate_notices TO gatehouse_work USING (true);
CREATE POLICY office ON rate_notices FOR SELECT TO gatehouse_office USING ((SELECT office_is_all())
  OR EXISTS (SELECT FROM office_ledgers reach WHERE reach.id = ledger_id));
GRANT SELECT, INSERT ON rate_notices TO gatehouse_app;
GRANT UPDATE (replaced_at) ON rate_notices TO gatehouse_work;
GRANT SELECT ON rate_notices TO gatehouse_office;

-- The rate changes that were applied.
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
ALTER TABLE rate_changes ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY own ON rate_changes TO gatehouse_app
  USING (ledger_id = ANY ((SELECT own_ledgers())::uuid[]));
CREATE POLICY work ON rate_changes TO gatehouse_work USING (true);
CREATE POLICY office ON rate_changes FOR SELECT TO gatehouse_office USING ((SELECT office_is_all())
  OR EXISTS (SELECT FROM office_ledgers reach WHERE reach.id = ledger_id));
GRANT SELECT, INSERT ON rate_changes TO gatehouse_app;
GRANT SELECT ON rate_changes TO gatehouse_office;

CREATE SEQUENCE statement_numbers START 500001;
GRANT USAGE ON SEQUENCE statement_numbers TO gatehouse_app;

-- A monthly statement of a tenant record. What it is drawn from is fixed when it is issued: entries
-- that are recorded later, whatever their day, are in the next statement.
CREATE TABLE statements (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  number text NOT NULL UNIQUE DEFAULT 'S-' || nextval('statement_numbers'),
  tenant_id uuid NOT NULL REFERENCES tenants,
  month text NOT NULL CHECK (month ~ '^\d{4}-\d{2}$'),
  created_at timestamptz NOT NULL,
  entries_through bigint NOT NULL,
  ledger_ids uuid[] NOT NULL,
  follows uuid REFERENCES statements,
  UNIQUE (tenant_id, month)
);
COMMENT ON COLUMN statements.entries_through IS
  'the position of the last entry of its ledgers that was recorded when it was issued';
COMMENT ON COLUMN statements.ledger_ids IS 'the tenant''s ledgers at that time';
COMMENT ON COLUMN statements.follows IS
  'the statement before: what is not in that one is in this one';
ALTER TABLE statements ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY own ON statements TO gatehouse_app
  USING (tenant_id = ANY ((SELECT own_tenants())::uuid[]));
CREATE POLICY work ON statements TO gatehouse_work USING (true);
CREATE POLICY office ON statements FOR SELECT TO gatehouse_office USING ((SELECT office_is_all())
  OR EXISTS (SELECT FROM office_tenants reach WHERE reach.id = tenant_id));
GRANT SELECT, INSERT ON statements TO gatehouse_app;
GRANT SELECT ON statements TO gatehouse_office;
