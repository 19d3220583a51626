-- Whether a facility reminds its tenants by mail of rent that is due and of a gate that is about to be suspended: off until
-- the operator says so, because an upgrade must not begin to mail tenants.
ALTER TABLE facilities ADD COLUMN sends_reminders boolean NOT NULL DEFAULT false;
GRANT UPDATE (sends_reminders) ON facilities TO gatehouse_work;

-- When the reminders of a facility's day were queued.
ALTER TABLE billing_runs ADD COLUMN reminded_at timestamptz;

-- What a rental was reminded of: each fact once, whoever asks. A row goes with its mail, long after its day.
CREATE TABLE reminders (
  ledger_id uuid NOT NULL REFERENCES ledgers,
  kind text NOT NULL CHECK (kind IN ('rent_soon', 'rent_today', 'gate_soon')),
  about_on date NOT NULL,
  reminded_on date NOT NULL,
  amount_cents bigint NOT NULL CHECK (amount_cents > 0),
  mail_id uuid NOT NULL REFERENCES mails ON DELETE CASCADE,
  place smallint NOT NULL,
  PRIMARY KEY (ledger_id, kind, about_on)
);
COMMENT ON COLUMN reminders.place IS 'of the facts of one mail; the first one is its kind';
COMMENT ON COLUMN reminders.about_on IS 'the due date of the rent, or the day from which the gate is suspended';
CREATE INDEX ON reminders (mail_id);
GRANT SELECT, INSERT ON reminders TO gatehouse_work;
ALTER TABLE reminders ENABLE ROW LEVEL SECURITY;
ALTER TABLE reminders FORCE ROW LEVEL SECURITY;
CREATE POLICY work ON reminders TO gatehouse_work USING (true);

-- The kinds of reminders that a tenant record does not want; without a row it gets them.
CREATE TABLE reminder_stops (
  tenant_id uuid NOT NULL REFERENCES tenants,
  kind text NOT NULL CHECK (kind IN ('rent_soon', 'rent_today', 'gate_soon')),
  stopped_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, kind)
);
GRANT SELECT, INSERT, DELETE ON reminder_stops TO gatehouse_app;
GRANT SELECT, INSERT ON reminder_stops TO gatehouse_work;
ALTER TABLE reminder_stops ENABLE ROW LEVEL SECURITY;
ALTER TABLE reminder_stops FORCE ROW LEVEL SECURITY;
CREATE POLICY own ON reminder_stops TO gatehouse_app USING (tenant_id = ANY ((SELECT own_tenants())::uuid[]));
CREATE POLICY work ON reminder_stops TO gatehouse_work USING (true);
