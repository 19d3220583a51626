-- Payments and what goes back, autopay, pay links, and what the gateway says.

-- A card or bank account that the gateway keeps; here are its token, sealed, and what a tenant may
-- see. A fingerprint is what a gateway calls the card or account itself, however often it is
-- entered: the gateway's own word or a keyed digest, so that no number can be found by trying them
-- all.
CREATE TABLE payment_methods (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  tenant_id uuid NOT NULL REFERENCES tenants,
  type text NOT NULL CHECK (type IN ('creditCard', 'ach')),
  gateway_token text NOT NULL,
  brand text NOT NULL,
  last_four text NOT NULL,
  routing_last_four text,
  expires_on text,
  holder_name text,
  street_address text,
  postal_code text,
  created_at timestamptz NOT NULL DEFAULT now(),
  funding text NOT NULL DEFAULT 'unknown'
    CHECK (funding IN ('credit', 'debit', 'prepaid', 'unknown')),
  refused_at timestamptz,
  fingerprint text,
  token_version integer NOT NULL DEFAULT 1,
  CHECK ((type = 'creditCard') = (expires_on IS NOT NULL)),
  CHECK ((type = 'ach') = (routing_last_four IS NOT NULL)),
  CONSTRAINT gateway_token_is_sealed CHECK (starts_with(gateway_token, 'sealed:1:'))
);
COMMENT ON COLUMN payment_methods.gateway_token IS 'sealed (vault.ts)';
COMMENT ON COLUMN payment_methods.brand IS 'card type of a card, account type of a bank account';
COMMENT ON COLUMN payment_methods.refused_at IS
  'a hard decline or a stopping return: autopay does not try this method again';
COMMENT ON COLUMN payment_methods.token_version IS
  'one more with each other token that a file gives';
CREATE INDEX ON payment_methods (tenant_id);
CREATE INDEX payment_methods_fingerprint
  ON payment_methods (fingerprint) WHERE fingerprint IS NOT NULL;
CREATE INDEX payment_methods_by_last_four ON payment_methods (last_four);
CREATE INDEX payment_methods_by_end ON payment_methods (expires_on);
ALTER TABLE payment_methods ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY own ON payment_methods TO gatehouse_app
  USING (tenant_id = ANY ((SELECT own_tenants())::uuid[]));
CREATE POLICY work ON payment_methods TO gatehouse_work USING (true);
CREATE POLICY office ON payment_methods FOR SELECT TO gatehouse_office
  USING ((SELECT office_is_all())
    OR EXISTS (SELECT FROM office_tenants reach WHERE reach.id = tenant_id));
GRANT SELECT, INSERT, UPDATE (refused_at) ON payment_methods TO gatehouse_app;
GRANT UPDATE (brand, last_four, expires_on, funding, fingerprint)
  ON payment_methods TO gatehouse_work;
GRANT SELECT (id, tenant_id, type, brand, last_four, expires_on, holder_name, created_at, funding,
  refused_at) ON payment_methods TO gatehouse_office;

-- The tenant's number at the outside gateway, which keeps the saved methods under it.
CREATE TABLE gateway_customers (
  tenant_id uuid PRIMARY KEY REFERENCES tenants,
  customer text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now()
);
ALTER TABLE gateway_customers ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY own ON gateway_customers TO gatehouse_app
  USING (tenant_id = ANY ((SELECT own_tenants())::uuid[]));
CREATE POLICY work ON gateway_customers TO gatehouse_work USING (true);
GRANT SELECT, INSERT ON gateway_customers TO gatehouse_app;

-- That a tenant was warned that a card expires in this many days.
CREATE TABLE card_warnings (
  payment_method_id uuid NOT NULL REFERENCES payment_methods,
  days integer NOT NULL CHECK (days IN (30, 7)),
  warned_at timestamptz NOT NULL,
  PRIMARY KEY (payment_method_id, days)
);
GRANT SELECT, INSERT, DELETE ON card_warnings TO gatehouse_work;

-- The accounts of which a bank returned a debit with a code that stops them. Staff may allow one
-- again.
CREATE TABLE stopped_accounts (
  fingerprint text PRIMARY KEY,
  return_code text NOT NULL,
  stopped_at timestamptz NOT NULL
);
GRANT SELECT, INSERT, DELETE ON stopped_accounts TO gatehouse_work;

-- A tenant's request may ask for one account, and cannot list them.
CREATE FUNCTION is_stopped_account(fingerprint text) RETURNS boolean
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
RETURN EXISTS (SELECT FROM stopped_accounts s WHERE s.fingerprint = is_stopped_account.fingerprint);
REVOKE EXECUTE ON FUNCTION is_stopped_account FROM PUBLIC;
GRANT EXECUTE ON FUNCTION is_stopped_account TO gatehouse_app, gatehouse_work;

-- The tenant's consent to autopay, word for word. Append-only; its end is a row of its own.
CREATE TABLE mandates (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  ledger_id uuid NOT NULL REFERENCES ledgers,
  user_id uuid REFERENCES users,
  payment_method_id uuid NOT NULL REFERENCES payment_methods,
  text_version text NOT NULL,
  text text NOT NULL,
  text_hash bytea NOT NULL,
  agreed_at timestamptz NOT NULL,
  ip text,
  user_agent text,
  fingerprint text
);
CREATE INDEX ON mandates (ledger_id, agreed_at);
CREATE INDEX mandates_fingerprint ON mandates (fingerprint) WHERE fingerprint IS NOT NULL;
ALTER TABLE mandates ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY own ON mandates TO gatehouse_app
  USING (ledger_id = ANY ((SELECT own_ledgers())::uuid[]));
CREATE POLICY work ON mandates TO gatehouse_work USING (true);
CREATE POLICY office ON mandates FOR SELECT TO gatehouse_office USING ((SELECT office_is_all())
  OR EXISTS (SELECT FROM office_ledgers reach WHERE reach.id = ledger_id));
GRANT SELECT, INSERT ON mandates TO gatehouse_app;
GRANT SELECT ON mandates TO gatehouse_office;

-- The end of a mandate.
CREATE TABLE mandate_ends (
  mandate_id uuid PRIMARY KEY REFERENCES mandates,
  ended_at timestamptz NOT NULL,
  reason text NOT NULL
    CHECK (reason IN ('replaced', 'switched_off', 'returned', 'moved_out', 'disputed')),
  user_id uuid REFERENCES users
);
CREATE INDEX ON mandate_ends (ended_at);
ALTER TABLE mandate_ends ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY own ON mandate_ends TO gatehouse_app
  USING (EXISTS (SELECT FROM mandates m WHERE m.id = mandate_id));
CREATE POLICY work ON mandate_ends TO gatehouse_work USING (true);
CREATE POLICY office ON mandate_ends FOR SELECT TO gatehouse_office
  USING ((SELECT office_is_all()) OR EXISTS (SELECT FROM mandates m WHERE m.id = mandate_id));
GRANT SELECT, INSERT ON mandate_ends TO gatehouse_app;
GRANT SELECT ON mandate_ends TO gatehouse_office;

-- Autopay of a rental, and the mandate that it rests on; one that was imported without the words of
-- a consent has none.
CREATE TABLE autopays (
  ledger_id uuid PRIMARY KEY REFERENCES ledgers,
  payment_method_id uuid NOT NULL REFERENCES payment_methods,
  active boolean NOT NULL,
  updated_at timestamptz NOT NULL DEFAULT now(),
  mandate_id uuid REFERENCES mandates
);
CREATE INDEX ON autopays (mandate_id) WHERE mandate_id IS NOT NULL;
CREATE INDEX autopays_by_method ON autopays (payment_method_id) WHERE active;
ALTER TABLE autopays ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY own ON autopays TO gatehouse_app
  USING (ledger_id = ANY ((SELECT own_ledgers())::uuid[]));
CREATE POLICY work ON autopays TO gatehouse_work USING (true);
CREATE POLICY office ON autopays FOR SELECT TO gatehouse_office USING ((SELECT office_is_all())
  OR EXISTS (SELECT FROM office_ledgers reach WHERE reach.id = ledger_id));
GRANT SELECT, INSERT, UPDATE ON autopays TO gatehouse_app;
GRANT SELECT ON autopays TO gatehouse_office;

-- One item a ledger and due date, however often the job runs. Each attempt is a payment intent, and
-- while one is open the item is `trying`, so that no other worker takes it up.
CREATE TABLE autopay_items (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  ledger_id uuid NOT NULL REFERENCES ledgers,
  due_on date NOT NULL,
  state text NOT NULL CHECK (state IN ('waiting', 'trying', 'paid', 'skipped', 'failed')),
  try_on date,
  first_try_on date,
  amount_cents bigint CHECK (amount_cents > 0),
  declines integer NOT NULL DEFAULT 0 CHECK (declines BETWEEN 0 AND 4),
  re_presentments integer NOT NULL DEFAULT 0 CHECK (re_presentments <= 2),
  note text,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  UNIQUE (ledger_id, due_on),
  CHECK ((state IN ('waiting', 'trying')) = (try_on IS NOT NULL)),
  CHECK (state NOT IN ('trying', 'paid', 'failed')
    OR (first_try_on IS NOT NULL AND amount_cents IS NOT NULL))
);
COMMENT ON COLUMN autopay_items.try_on IS
  'the facility''s day of the next attempt, or of the one under way';
COMMENT ON COLUMN autopay_items.amount_cents IS
  'what the first attempt was for: a later one takes no more';
COMMENT ON COLUMN autopay_items.note IS 'why it was skipped or failed, in words for the tenant';
CREATE INDEX autopay_items_open ON autopay_items (ledger_id) WHERE state IN ('waiting', 'trying');
ALTER TABLE autopay_items ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY own ON autopay_items TO gatehouse_app
  USING (ledger_id = ANY ((SELECT own_ledgers())::uuid[]));
CREATE POLICY work ON autopay_items TO gatehouse_work USING (true);
GRANT SELECT, INSERT, UPDATE ON autopay_items TO gatehouse_app;

-- One setting of autopay under an Idempotency-Key: the row comes before the gateway is asked to
-- keep a method. Without a mandate it is under way, or was given up.
CREATE TABLE autopay_updates (
  user_id uuid NOT NULL REFERENCES users,
  idempotency_key text NOT NULL,
  ledger_id uuid NOT NULL REFERENCES ledgers,
  request_hash bytea NOT NULL,
  mandate_id uuid REFERENCES mandates,
  begun_at timestamptz,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (user_id, idempotency_key)
);
COMMENT ON COLUMN autopay_updates.begun_at IS
  'when the try under way began; null where it was refused';
CREATE INDEX ON autopay_updates (created_at);
CREATE INDEX ON autopay_updates (mandate_id) WHERE mandate_id IS NOT NULL;
ALTER TABLE autopay_updates ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY own ON autopay_updates TO gatehouse_app
  USING (ledger_id = ANY ((SELECT own_ledgers())::uuid[]) OR user_id = (SELECT own_user()));
CREATE POLICY work ON autopay_updates TO gatehouse_work USING (true);
GRANT SELECT, INSERT, UPDATE ON autopay_updates TO gatehouse_app;

CREATE SEQUENCE receipt_numbers START 1000001;
GRANT USAGE ON SEQUENCE receipt_numbers TO gatehouse_app;

-- One attempt at one capture; the intent's id is its reference at the gateway. It says what began
-- it, with which saved method, and whether the people it concerns were notified (told_at null: not
-- yet): the row is its own queue. A payment that staff took at the counter, or that an import
-- brought, has an intent as well, so that receipts, history and reports are the same; the gateway
-- knows nothing of it.
CREATE TABLE payment_intents (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  tenant_id uuid NOT NULL REFERENCES tenants,
  user_id uuid REFERENCES users,
  type text NOT NULL CHECK (type IN ('creditCard', 'ach', 'cash', 'check', 'moneyOrder')),
  method_description text NOT NULL,
  amount_cents bigint NOT NULL CHECK (amount_cents > 0),
  state text NOT NULL CHECK (state IN ('submitted', 'unknown', 'succeeded', 'pending', 'settled',
    'declined', 'never_sent', 'returned')),
  idempotency_key text,
  request_hash bytea,
  debt_key bytea NOT NULL,
  attempt integer NOT NULL,
  decline_message text,
  receipt_number text UNIQUE,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  initiator text NOT NULL DEFAULT 'tenant'
    CHECK (initiator IN ('tenant', 'autopay', 'import', 'staff')),
  payment_method_id uuid REFERENCES payment_methods,
  told_at timestamptz,
  not_found integer NOT NULL DEFAULT 0,
  looked_up_at timestamptz,
  is_hard_decline boolean,
  return_code text,
  autopay_item_id uuid REFERENCES autopay_items,
  fingerprint text,
  method_expires_on text,
  token_version integer,
  CHECK ((state IN ('succeeded', 'pending', 'settled', 'returned')) = (receipt_number IS NOT NULL)),
  CHECK ((state = 'declined') = (decline_message IS NOT NULL))
);
COMMENT ON COLUMN payment_intents.not_found IS
  'how often the gateway did not know the reference';
COMMENT ON COLUMN payment_intents.return_code IS 'why a bank debit came back, as in R01';
COMMENT ON COLUMN payment_intents.method_expires_on IS
  'YYYY-MM of a card: a renewed card keeps its fingerprint';
COMMENT ON COLUMN payment_intents.token_version IS
  'that of the saved method as it was charged; null without one';
-- One live intent a key; an attempt that was never sent frees its key for a new one.
CREATE UNIQUE INDEX payment_intents_key
  ON payment_intents (user_id, idempotency_key) WHERE state <> 'never_sent';
CREATE UNIQUE INDEX payment_intents_debt ON payment_intents (debt_key, attempt);
CREATE INDEX payment_intents_open
  ON payment_intents (created_at) WHERE state IN ('submitted', 'unknown');
CREATE INDEX ON payment_intents (tenant_id, created_at);
CREATE INDEX payment_intents_untold ON payment_intents (updated_at)
  WHERE told_at IS NULL AND state NOT IN ('submitted', 'unknown', 'never_sent');
CREATE INDEX payment_intents_pending ON payment_intents (looked_up_at) WHERE state = 'pending';
CREATE INDEX ON payment_intents (created_at);
CREATE INDEX ON payment_intents (autopay_item_id) WHERE autopay_item_id IS NOT NULL;
CREATE INDEX payment_intents_being_confirmed ON payment_intents (id) WHERE state = 'pending';
-- A check or money order is found by its number.
CREATE INDEX payment_intents_by_number
  ON payment_intents (lower(method_description)) WHERE type IN ('check', 'moneyOrder');
ALTER TABLE payment_intents ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY own ON payment_intents TO gatehouse_app
  USING (tenant_id = ANY ((SELECT own_tenants())::uuid[]) OR user_id = (SELECT own_user()));
CREATE POLICY work ON payment_intents TO gatehouse_work USING (true);
CREATE POLICY office ON payment_intents FOR SELECT TO gatehouse_office
  USING ((SELECT office_is_all())
    OR EXISTS (SELECT FROM office_tenants reach WHERE reach.id = tenant_id));
GRANT SELECT, INSERT, UPDATE ON payment_intents TO gatehouse_app;
GRANT SELECT ON payment_intents TO gatehouse_office;

CREATE VIEW office_intents AS
  SELECT i.id FROM payment_intents i JOIN tenants t ON t.id = i.tenant_id
  WHERE t.facility_id = ANY ((SELECT office_facilities())::uuid[]);
GRANT SELECT ON office_intents TO gatehouse_office;

-- Only these steps are legal; what is known is never unlearned.
CREATE FUNCTION check_payment_intent_step() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (OLD.state, NEW.state) NOT IN (
    ('submitted', 'unknown'), ('submitted', 'succeeded'), ('submitted', 'pending'),
    ('submitted', 'declined'), ('submitted', 'never_sent'),
    ('unknown', 'succeeded'), ('unknown', 'pending'), ('unknown', 'declined'),
    ('unknown', 'never_sent'),
    ('pending', 'settled'), ('pending', 'returned'), ('settled', 'returned')
  ) THEN
    RAISE EXCEPTION 'a payment intent cannot go from % to %', OLD.state, NEW.state
      USING ERRCODE = 'check_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER payment_intent_step BEFORE UPDATE OF state ON payment_intents
  FOR EACH ROW EXECUTE FUNCTION check_payment_intent_step();

-- The ledgers that an intent pays, and how much of each.
CREATE TABLE payment_intent_ledgers (
  intent_id uuid NOT NULL REFERENCES payment_intents,
  ledger_id uuid NOT NULL REFERENCES ledgers,
  amount_cents bigint NOT NULL CHECK (amount_cents > 0),
  state text NOT NULL,
  gate_waits_for text CHECK (gate_waits_for IN ('lockout', 'return')),
  PRIMARY KEY (intent_id, ledger_id)
);
COMMENT ON COLUMN payment_intent_ledgers.gate_waits_for IS
  'why the gate does not count this bank payment before it has settled: the unit was locked out '
  'when it was paid, or an earlier bank payment of the tenant was returned; null: it counts at '
  'once';
-- At most one open intent a ledger; `state` is the intent's, written in the same statement.
CREATE UNIQUE INDEX one_open_intent
  ON payment_intent_ledgers (ledger_id) WHERE state IN ('submitted', 'unknown');
-- Read with every gate code and every comparison with the gates: the bank payments that a gate
-- waits for are few.
CREATE INDEX payment_intent_ledgers_gate_waits
  ON payment_intent_ledgers (ledger_id) WHERE state = 'pending' AND gate_waits_for IS NOT NULL;
ALTER TABLE payment_intent_ledgers ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY own ON payment_intent_ledgers TO gatehouse_app
  USING (ledger_id = ANY ((SELECT own_ledgers())::uuid[]));
CREATE POLICY work ON payment_intent_ledgers TO gatehouse_work USING (true);
CREATE POLICY office ON payment_intent_ledgers FOR SELECT TO gatehouse_office
  USING ((SELECT office_is_all())
    OR EXISTS (SELECT FROM office_ledgers reach WHERE reach.id = ledger_id));
GRANT SELECT, INSERT, UPDATE ON payment_intent_ledgers TO gatehouse_app;
GRANT SELECT ON payment_intent_ledgers TO gatehouse_office;

-- The part of an intent that was posted on a ledger.
CREATE TABLE payments (
  entry_id uuid PRIMARY KEY REFERENCES entries,
  intent_id uuid NOT NULL REFERENCES payment_intents,
  ledger_id uuid NOT NULL REFERENCES ledgers,
  description text NOT NULL,
  receipt_number text NOT NULL UNIQUE,
  UNIQUE (intent_id, ledger_id)
);
CREATE INDEX payments_history ON payments (ledger_id)
  INCLUDE (entry_id, intent_id, description, receipt_number);
ALTER TABLE payments ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY own ON payments TO gatehouse_app
  USING (ledger_id = ANY ((SELECT own_ledgers())::uuid[]));
CREATE POLICY work ON payments TO gatehouse_work USING (true);
CREATE POLICY office ON payments FOR SELECT TO gatehouse_office USING ((SELECT office_is_all())
  OR EXISTS (SELECT FROM office_ledgers reach WHERE reach.id = ledger_id));
GRANT SELECT, INSERT ON payments TO gatehouse_app;
GRANT SELECT ON payments TO gatehouse_office;

-- What goes back to the tenant: a whole capture, or one ledger's part of it, in one of four ways.
-- The refund's id is its reference at the gateway; one that was made in the gateway's dashboard has
-- the gateway's id, so that it is posted once.
CREATE TABLE refunds (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  payment_entry_id uuid REFERENCES entries,
  amount_cents bigint NOT NULL CHECK (amount_cents > 0),
  state text NOT NULL CHECK (state IN ('submitted', 'succeeded', 'failed')),
  reason text NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  intent_id uuid NOT NULL REFERENCES payment_intents,
  way text NOT NULL DEFAULT 'gateway' CHECK (way IN ('gateway', 'dashboard', 'cash', 'check')),
  check_number text,
  gateway_id text UNIQUE,
  posted_cents bigint,
  fault text,
  receipt_number text NOT NULL UNIQUE DEFAULT nextval('receipt_numbers')::text,
  CHECK ((state = 'succeeded') = (posted_cents IS NOT NULL)),
  CHECK (posted_cents BETWEEN 0 AND amount_cents),
  CHECK ((way = 'dashboard') = (gateway_id IS NOT NULL)),
  CHECK ((way = 'check') = (check_number IS NOT NULL))
);
COMMENT ON COLUMN refunds.payment_entry_id IS
  'the part that it is of; null for all parts of the capture, the last first';
COMMENT ON COLUMN refunds.posted_cents IS
  'what the reversals take back: less than was given back where less was left';
COMMENT ON COLUMN refunds.fault IS 'why the gateway refused it';
CREATE UNIQUE INDEX one_open_refund ON refunds (intent_id) WHERE state = 'submitted';
CREATE INDEX ON refunds (intent_id);
ALTER TABLE refunds ENABLE ROW LEVEL SECURITY;
CREATE POLICY others ON refunds TO gatehouse_app, gatehouse_work USING (true);
CREATE POLICY office ON refunds FOR SELECT TO gatehouse_office USING ((SELECT office_is_all())
  OR EXISTS (SELECT FROM office_intents reach WHERE reach.id = intent_id));
GRANT SELECT, INSERT, UPDATE ON refunds TO gatehouse_work;
GRANT SELECT ON refunds TO gatehouse_office;

-- Which refund a reversal is of: how the money was given back decides in which line of a day's
-- takings it is.
CREATE TABLE refund_parts (
  reversal_entry_id uuid PRIMARY KEY REFERENCES reversals,
  refund_id uuid NOT NULL REFERENCES refunds
);
CREATE INDEX ON refund_parts (refund_id);
ALTER TABLE refund_parts ENABLE ROW LEVEL SECURITY;
CREATE POLICY others ON refund_parts TO gatehouse_app, gatehouse_work USING (true);
CREATE POLICY office ON refund_parts FOR SELECT TO gatehouse_office USING ((SELECT office_is_all())
  OR EXISTS (SELECT FROM office_entries reach WHERE reach.id = reversal_entry_id));
GRANT SELECT, INSERT ON refund_parts TO gatehouse_work;
GRANT SELECT ON refund_parts TO gatehouse_office;

-- A dispute of a card payment. Opened, the amount is taken back from the ledgers; won, credits
-- restore it.
CREATE TABLE disputes (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  gateway_id text NOT NULL UNIQUE,
  intent_id uuid NOT NULL REFERENCES payment_intents,
  amount_cents bigint NOT NULL CHECK (amount_cents > 0),
  posted_cents bigint NOT NULL CHECK (posted_cents BETWEEN 0 AND amount_cents),
  state text NOT NULL CHECK (state IN ('opened', 'won', 'lost')),
  evidence_due_at timestamptz,
  opened_at timestamptz NOT NULL,
  created_at timestamptz NOT NULL,
  decided_at timestamptz,
  CHECK ((state = 'opened') = (decided_at IS NULL))
);
COMMENT ON COLUMN disputes.opened_at IS 'by the gateway';
CREATE INDEX ON disputes (intent_id);
CREATE INDEX disputes_opened ON disputes (opened_at) WHERE state = 'opened';
ALTER TABLE disputes ENABLE ROW LEVEL SECURITY;
CREATE POLICY others ON disputes TO gatehouse_app, gatehouse_work USING (true);
CREATE POLICY office ON disputes FOR SELECT TO gatehouse_office USING ((SELECT office_is_all())
  OR EXISTS (SELECT FROM office_intents reach WHERE reach.id = intent_id));
GRANT SELECT, INSERT, UPDATE (state, decided_at) ON disputes TO gatehouse_work;
GRANT SELECT ON disputes TO gatehouse_office;

-- The reversals of a dispute, and the credits that restore them.
CREATE TABLE dispute_parts (
  reversal_entry_id uuid PRIMARY KEY REFERENCES reversals,
  dispute_id uuid NOT NULL REFERENCES disputes,
  credit_entry_id uuid UNIQUE REFERENCES credits
);
CREATE INDEX ON dispute_parts (dispute_id);
ALTER TABLE dispute_parts ENABLE ROW LEVEL SECURITY;
CREATE POLICY others ON dispute_parts TO gatehouse_app, gatehouse_work USING (true);
CREATE POLICY office ON dispute_parts FOR SELECT TO gatehouse_office USING ((SELECT office_is_all())
  OR EXISTS (SELECT FROM office_entries reach WHERE reach.id = reversal_entry_id));
GRANT SELECT, INSERT, UPDATE (credit_entry_id) ON dispute_parts TO gatehouse_work;
GRANT SELECT ON dispute_parts TO gatehouse_office;

-- A pay link: the holder of its address may pay one rental's debt, or what is left of it, once and
-- without signing in. The office reads all but the hash.
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
  'the ledger''s last entry at the creation: charges up to it are the debt, and payments after it '
  'have paid of it';
CREATE INDEX ON pay_links (ledger_id, created_at);
ALTER TABLE pay_links ENABLE ROW LEVEL SECURITY;
CREATE POLICY work ON pay_links TO gatehouse_work USING (true);
CREATE POLICY office ON pay_links FOR SELECT TO gatehouse_office USING ((SELECT office_is_all())
  OR EXISTS (SELECT FROM office_ledgers reach WHERE reach.id = ledger_id));
GRANT SELECT, INSERT, UPDATE (revoked_at, revoked_by) ON pay_links TO gatehouse_work;
GRANT SELECT (id, ledger_id, amount_cents, through_position, by_name, created_at, revoked_at,
  revoked_by) ON pay_links TO gatehouse_office;

-- The attempts to pay by a link. The ledger is locked while one is written, so there is one live
-- attempt a key.
CREATE TABLE pay_link_payments (
  intent_id uuid PRIMARY KEY REFERENCES payment_intents,
  pay_link_id uuid NOT NULL REFERENCES pay_links,
  idempotency_key text NOT NULL
);
CREATE INDEX ON pay_link_payments (pay_link_id);
ALTER TABLE pay_link_payments ENABLE ROW LEVEL SECURITY;
CREATE POLICY work ON pay_link_payments TO gatehouse_work USING (true);
CREATE POLICY office ON pay_link_payments FOR SELECT TO gatehouse_office
  USING ((SELECT office_is_all())
    OR EXISTS (SELECT FROM office_intents reach WHERE reach.id = intent_id));
GRANT SELECT, INSERT ON pay_link_payments TO gatehouse_work;
GRANT SELECT ON pay_link_payments TO gatehouse_office;

-- What the gateway sends by itself: kept once, answered at once, then looked up at the gateway.
CREATE TABLE gateway_events (
  id text PRIMARY KEY,
  type text NOT NULL,
  reference uuid,
  amount_cents bigint,
  body jsonb NOT NULL,
  received_at timestamptz NOT NULL,
  state text NOT NULL DEFAULT 'new' CHECK (state IN ('new', 'done', 'parked')),
  handled_at timestamptz,
  fault text
);
COMMENT ON COLUMN gateway_events.body IS 'scrubbed: no number of a card or account, no address';
CREATE INDEX gateway_events_new ON gateway_events (received_at) WHERE state = 'new';
CREATE INDEX ON gateway_events (received_at);
GRANT SELECT, INSERT, UPDATE (state, handled_at, fault) ON gateway_events TO gatehouse_work;

-- What the gateway has paid out to the operator's bank.
CREATE TABLE gateway_payouts (
  id text PRIMARY KEY,
  arrives_on date NOT NULL,
  standing text NOT NULL CHECK (standing IN ('underWay', 'paid', 'failed')),
  listed_at timestamptz
);
COMMENT ON COLUMN gateway_payouts.id IS 'the gateway''s own';
COMMENT ON COLUMN gateway_payouts.listed_at IS 'when payout_payments had all of its payments';
GRANT SELECT, INSERT, UPDATE (arrives_on, standing, listed_at) ON gateway_payouts TO gatehouse_work;
GRANT SELECT ON gateway_payouts TO gatehouse_office;

-- The payments that a payout holds.
CREATE TABLE payout_payments (
  intent_id uuid PRIMARY KEY REFERENCES payment_intents,
  payout_id text NOT NULL REFERENCES gateway_payouts
);
CREATE INDEX ON payout_payments (payout_id);
ALTER TABLE payout_payments ENABLE ROW LEVEL SECURITY;
CREATE POLICY others ON payout_payments TO gatehouse_app, gatehouse_work USING (true);
CREATE POLICY office ON payout_payments FOR SELECT TO gatehouse_office
  USING ((SELECT office_is_all())
    OR EXISTS (SELECT FROM office_intents reach WHERE reach.id = intent_id));
GRANT SELECT, INSERT ON payout_payments TO gatehouse_work;
GRANT SELECT ON payout_payments TO gatehouse_office;

-- Runs that compare our books with the gateway's list.
CREATE TABLE reconciliations (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  kind text NOT NULL CHECK (kind IN ('open_intents', 'daily')),
  from_at timestamptz NOT NULL,
  to_at timestamptz NOT NULL,
  started_at timestamptz NOT NULL,
  finished_at timestamptz,
  compared bigint NOT NULL DEFAULT 0
);
GRANT SELECT, INSERT, UPDATE ON reconciliations TO gatehouse_work;

-- What a comparison found.
CREATE TABLE differences (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  reconciliation_id uuid NOT NULL REFERENCES reconciliations,
  class text NOT NULL CHECK (class IN ('gateway_only', 'ledger_only', 'amount', 'status',
    'duplicate', 'refund', 'dispute')),
  reference text NOT NULL,
  ours jsonb,
  theirs jsonb,
  found_at timestamptz NOT NULL,
  UNIQUE (class, reference)
);
ALTER TABLE differences ENABLE ROW LEVEL SECURITY;
CREATE POLICY others ON differences TO gatehouse_app, gatehouse_work USING (true);
CREATE POLICY office ON differences FOR SELECT TO gatehouse_office
  USING ((SELECT office_is_all()));
GRANT SELECT, INSERT ON differences TO gatehouse_work;
GRANT SELECT ON differences TO gatehouse_office;

-- The gateway's list while it is being compared, emptied at the end of a run. Logged: a run
-- continues when the database is back after a crash, and an emptied list would make every payment a
-- difference.
CREATE TABLE gateway_lines (
  reconciliation_id uuid NOT NULL,
  place bigint NOT NULL,
  reference text NOT NULL,
  amount_cents bigint NOT NULL,
  standing text NOT NULL,
  at timestamptz NOT NULL,
  PRIMARY KEY (reconciliation_id, place)
);
CREATE INDEX ON gateway_lines (reconciliation_id, reference);
GRANT SELECT, INSERT, DELETE ON gateway_lines TO gatehouse_work;
