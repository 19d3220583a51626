-- A pay link: whoever has its address may pay one rental's debt, or what is left of it, once and without signing in.
CREATE TABLE pay_links (
  id uuid PRIMARY KEY,
  ledger_id uuid NOT NULL REFERENCES ledgers,
  token_hash bytea NOT NULL CHECK (length(token_hash) = 32),
  amount_cents bigint NOT NULL CHECK (amount_cents > 0),
  through_position bigint NOT NULL,
  by_name text NOT NULL CHECK (length(by_name) BETWEEN 1 AND 100),
  created_at timestamptz NOT NULL,
  revoked_at timestamptz,
  revoked_by text,
  CHECK ((revoked_at IS NULL) = (revoked_by IS NULL))
);
COMMENT ON COLUMN pay_links.through_position IS
  'the ledger''s last entry at the creation: charges up to it are the debt, and payments after it have paid of it';
CREATE INDEX ON pay_links (ledger_id, created_at);
GRANT SELECT, INSERT, UPDATE (revoked_at, revoked_by) ON pay_links TO gatehouse_work;

-- The attempts to pay by a link. The ledger is locked while one is written, so there is one live attempt a key.
CREATE TABLE pay_link_payments (
  intent_id uuid PRIMARY KEY REFERENCES payment_intents,
  pay_link_id uuid NOT NULL REFERENCES pay_links,
  idempotency_key text NOT NULL
);
CREATE INDEX ON pay_link_payments (pay_link_id);
GRANT SELECT, INSERT ON pay_link_payments TO gatehouse_work;

-- The office reads all but the hash, within its reach.
ALTER TABLE pay_links ENABLE ROW LEVEL SECURITY;
ALTER TABLE pay_link_payments ENABLE ROW LEVEL SECURITY;
CREATE POLICY work ON pay_links TO gatehouse_work USING (true);
CREATE POLICY work ON pay_link_payments TO gatehouse_work USING (true);
CREATE POLICY office ON pay_links FOR SELECT TO gatehouse_office
  USING ((SELECT office_is_all()) OR EXISTS (SELECT FROM office_ledgers reach WHERE reach.id = ledger_id));
CREATE POLICY office ON pay_link_payments FOR SELECT TO gatehouse_office
  USING ((SELECT office_is_all()) OR EXISTS (SELECT FROM office_intents reach WHERE reach.id = intent_id));
GRANT SELECT (id, ledger_id, amount_cents, through_position, by_name, created_at, revoked_at, revoked_by) ON pay_links
  TO gatehouse_office;
GRANT SELECT ON pay_link_payments TO gatehouse_office;
