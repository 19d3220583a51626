-- Mails and text messages, and the reminders that go by them.

-- Every mail: queued here in the transaction that makes it necessary, sent by a job of the same
-- transaction (docs/architecture.md, "How a mail goes out"). Its bodies are sealed. Ids reference
-- no rows, so that queueing a mail waits for no lock on them.
CREATE TABLE mails (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  position bigint GENERATED ALWAYS AS IDENTITY UNIQUE,
  to_address text NOT NULL,
  subject text NOT NULL CHECK (subject !~ '[[:cntrl:]]'),
  text_body text NOT NULL CHECK (text_body = '' OR starts_with(text_body, 'sealed:1:')),
  html_body text NOT NULL CHECK (html_body = '' OR starts_with(html_body, 'sealed:1:')),
  created_at timestamptz NOT NULL DEFAULT now(),
  sent_at timestamptz,
  paper_kind text CHECK (paper_kind IN ('receipt', 'statement')),
  paper_id uuid,
  body_until timestamptz NOT NULL DEFAULT now() + interval '90 days',
  kind text NOT NULL,
  about text NOT NULL DEFAULT '',
  tenant_id uuid,
  blocks text CHECK (starts_with(blocks, 'sealed:1:')),
  held_until timestamptz,
  decided_at timestamptz,
  merged_into uuid,
  is_dropped boolean NOT NULL DEFAULT false,
  language text NOT NULL CHECK (language IN ('en', 'es')),
  failing_since timestamptz,
  failing_as text,
  fault text,
  CHECK ((paper_kind IS NULL) = (paper_id IS NULL))
);
COMMENT ON COLUMN mails.paper_id IS 'the payment''s entry of a receipt, or the statement';
COMMENT ON COLUMN mails.body_until IS 'when its text is blanked (docs/retention.md)';
COMMENT ON COLUMN mails.about IS
  'what mails of a kind must share to be merged, such as the facility of a message to staff';
COMMENT ON COLUMN mails.tenant_id IS
  'the tenant record that it is about, and of whose budget it is where its kind has one';
COMMENT ON COLUMN mails.blocks IS
  'the content before rendering, as sealed JSON, until it is decided whether the mail is merged';
COMMENT ON COLUMN mails.held_until IS 'when the sender decides about it again';
COMMENT ON COLUMN mails.decided_at IS 'when it was decided that it is sent, merged or dropped';
COMMENT ON COLUMN mails.merged_into IS
  'the mail that it is part of; it counts as sent, and that one is sent like any other';
COMMENT ON COLUMN mails.language IS
  'in which it was written, for the papers that are drawn when it is sent';
COMMENT ON COLUMN mails.failing_since IS 'the first try that failed in the way of failing_as';
COMMENT ON COLUMN mails.failing_as IS
  'whose fault the last failure is; null for none of the mail server';
COMMENT ON COLUMN mails.fault IS
  'why it was given up: the command and the reply code, such as RCPT TO 550 5.1.1';
CREATE INDEX mails_with_body ON mails (body_until) WHERE text_body <> '';
CREATE INDEX ON mails (created_at);
-- Each start looks for mails that are not sealed under the first key (db/seal.ts).
CREATE INDEX mails_by_seal_of_text ON mails (left(text_body, 26)) WHERE text_body <> '';
CREATE INDEX mails_by_seal_of_html ON mails (left(html_body, 26)) WHERE html_body <> '';
CREATE INDEX mails_by_seal_of_blocks ON mails (left(blocks, 26)) WHERE blocks <> '';
-- The sender looks every minute for mails that were held until then, for the others that go with
-- one, and for their parts.
CREATE INDEX mails_held ON mails (held_until) WHERE held_until IS NOT NULL AND decided_at IS NULL;
CREATE INDEX mails_held_alike ON mails (lower(to_address), kind, about)
  WHERE held_until IS NOT NULL AND decided_at IS NULL;
CREATE INDEX mails_merged_into ON mails (merged_into) WHERE merged_into IS NOT NULL;
CREATE INDEX mails_by_address ON mails (lower(to_address), position);
CREATE INDEX mails_by_tenant ON mails (tenant_id, position) WHERE tenant_id IS NOT NULL;
GRANT INSERT, SELECT (id, sent_at) ON mails TO gatehouse_app;
GRANT SELECT, UPDATE (sent_at, blocks, held_until, decided_at, merged_into, is_dropped,
  failing_since, failing_as, fault) ON mails TO gatehouse_work;

-- A US number as providers take it, of a phone as it is on file; null for what is none.
CREATE FUNCTION text_phone(phone text) RETURNS text IMMUTABLE PARALLEL SAFE LANGUAGE sql
  RETURN '+1' || substring(regexp_replace(phone, '\D', '', 'g') FROM '^1?(\d{10})$');

-- Every text message: queued here in the transaction that makes it necessary, and handed over once
-- at most. It is `sending` from before the provider is called until its answer: one that a later
-- job finds so may have been sent.
CREATE TABLE texts (
  id uuid PRIMARY KEY,
  position bigint GENERATED ALWAYS AS IDENTITY UNIQUE,
  tenant_id uuid NOT NULL REFERENCES tenants,
  to_phone text NOT NULL CHECK (to_phone ~ '^\+1\d{10}$'),
  kind text NOT NULL CHECK (kind IN ('code', 'welcome', 'reminder')),
  body text NOT NULL CHECK (body = '' OR starts_with(body, 'sealed:1:')),
  body_until timestamptz NOT NULL,
  state text NOT NULL DEFAULT 'waiting'
    CHECK (state IN ('waiting', 'sending', 'sent', 'delivered', 'refused', 'unknown', 'dropped')),
  created_at timestamptz NOT NULL,
  tried_at timestamptz,
  provider_id text,
  code text,
  failing_since timestamptz,
  CHECK (state IN ('waiting', 'dropped') OR tried_at IS NOT NULL)
);
COMMENT ON COLUMN texts.body IS 'sealed; empty once it has been deleted (docs/retention.md)';
COMMENT ON COLUMN texts.code IS 'why the provider did not send or deliver it, in its own codes';
COMMENT ON COLUMN texts.failing_since IS
  'the first try that failed; an alarm about the provider counts from it';
CREATE INDEX ON texts (tenant_id, position);
CREATE INDEX ON texts (body_until) WHERE body <> '';
CREATE INDEX ON texts (created_at);
ALTER TABLE texts ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY own ON texts TO gatehouse_app
  USING (tenant_id = ANY ((SELECT own_tenants())::uuid[]));
CREATE POLICY work ON texts TO gatehouse_work USING (true);
GRANT INSERT, SELECT (id) ON texts TO gatehouse_app;
GRANT SELECT, UPDATE (state, tried_at, provider_id, code, failing_since) ON texts TO gatehouse_work;

-- The codes by which tenants show that a number is theirs, each with the consent that it confirms.
CREATE TABLE text_codes (
  tenant_id uuid PRIMARY KEY REFERENCES tenants,
  user_id uuid NOT NULL REFERENCES users,
  phone text NOT NULL,
  code_hash bytea NOT NULL,
  tries smallint NOT NULL DEFAULT 0,
  consent text NOT NULL,
  ip text NOT NULL,
  user_agent text,
  created_at timestamptz NOT NULL
);
ALTER TABLE text_codes ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY own ON text_codes TO gatehouse_app
  USING (tenant_id = ANY ((SELECT own_tenants())::uuid[]));
CREATE POLICY work ON text_codes TO gatehouse_work USING (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON text_codes TO gatehouse_app;

-- The tenant's consent to text messages, word for word. Append-only; its end is a row of its own.
CREATE TABLE text_consents (
  id uuid PRIMARY KEY,
  tenant_id uuid NOT NULL REFERENCES tenants,
  user_id uuid NOT NULL REFERENCES users,
  phone text NOT NULL,
  text text NOT NULL,
  text_hash bytea NOT NULL,
  agreed_at timestamptz NOT NULL,
  confirmed_at timestamptz NOT NULL,
  ip text,
  user_agent text,
  renews uuid REFERENCES text_consents ON DELETE SET NULL
);
COMMENT ON COLUMN text_consents.confirmed_at IS
  'when the number was shown to be the tenant''s, by a code or by texting START from it';
COMMENT ON COLUMN text_consents.renews IS
  'the consent that STOP had ended, where START from the same number gave it again';
CREATE INDEX ON text_consents (tenant_id, confirmed_at);
CREATE INDEX ON text_consents (phone);
CREATE INDEX ON text_consents (renews) WHERE renews IS NOT NULL;
ALTER TABLE text_consents ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY own ON text_consents TO gatehouse_app
  USING (tenant_id = ANY ((SELECT own_tenants())::uuid[]));
CREATE POLICY work ON text_consents TO gatehouse_work USING (true);
GRANT SELECT, INSERT ON text_consents TO gatehouse_app;

-- The end of a consent.
CREATE TABLE text_consent_ends (
  consent_id uuid PRIMARY KEY REFERENCES text_consents,
  ended_at timestamptz NOT NULL,
  reason text NOT NULL CHECK (reason IN ('switched_off', 'stopped', 'phone_changed', 'replaced')),
  user_id uuid REFERENCES users
);
ALTER TABLE text_consent_ends ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY own ON text_consent_ends TO gatehouse_app
  USING (EXISTS (SELECT FROM text_consents c WHERE c.id = consent_id));
CREATE POLICY work ON text_consent_ends TO gatehouse_work USING (true);
GRANT SELECT, INSERT ON text_consent_ends TO gatehouse_app;

-- What came from a number, each message of the provider once. The words that stop or start are
-- evidence; of others only is kept that they came.
CREATE TABLE text_replies (
  id text PRIMARY KEY,
  position bigint GENERATED ALWAYS AS IDENTITY UNIQUE,
  from_phone text NOT NULL,
  word text NOT NULL CHECK (word IN ('stop', 'start', 'help', 'other')),
  body text CHECK (body IS NULL OR word IN ('stop', 'start')),
  received_at timestamptz NOT NULL
);
CREATE INDEX ON text_replies (from_phone, position) WHERE word IN ('stop', 'start');
CREATE INDEX ON text_replies (received_at) WHERE word NOT IN ('stop', 'start');
GRANT SELECT, INSERT ON text_replies TO gatehouse_work;

-- Whether the last word from a number is that it wants no text messages.
CREATE FUNCTION is_phone_stopped(phone text) RETURNS boolean
STABLE LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
RETURN coalesce((SELECT r.word = 'stop' FROM public.text_replies r
  WHERE r.from_phone = is_phone_stopped.phone AND r.word IN ('stop', 'start')
  ORDER BY r.position DESC LIMIT 1), false);
REVOKE EXECUTE ON FUNCTION is_phone_stopped FROM PUBLIC;
GRANT EXECUTE ON FUNCTION is_phone_stopped TO gatehouse_app, gatehouse_work;

-- Another phone on file ends the consent, however it is changed: the number may be another person's
-- by now.
CREATE FUNCTION end_texts_of_old_phone() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  DELETE FROM public.text_codes WHERE tenant_id = NEW.id;
  INSERT INTO public.text_consent_ends (consent_id, ended_at, reason)
    SELECT c.id, now(), 'phone_changed' FROM public.text_consents c WHERE c.tenant_id = NEW.id
  ON CONFLICT (consent_id) DO NOTHING;
  RETURN NULL;
END
$$;
REVOKE EXECUTE ON FUNCTION end_texts_of_old_phone FROM PUBLIC;
CREATE TRIGGER end_texts_of_old_phone AFTER UPDATE OF phone ON tenants FOR EACH ROW
  WHEN (text_phone(OLD.phone) IS DISTINCT FROM text_phone(NEW.phone))
  EXECUTE FUNCTION end_texts_of_old_phone();

-- What a rental was reminded of, each fact once. It goes by mail, by text message, or by mail after
-- its text could not be delivered; the row is deleted with its mail, long after its day.
CREATE TABLE reminders (
  ledger_id uuid NOT NULL REFERENCES ledgers,
  kind text NOT NULL CHECK (kind IN ('rent_soon', 'rent_today', 'gate_soon')),
  about_on date NOT NULL,
  reminded_on date NOT NULL,
  amount_cents bigint NOT NULL CHECK (amount_cents > 0),
  mail_id uuid REFERENCES mails ON DELETE CASCADE,
  place smallint NOT NULL,
  text_id uuid REFERENCES texts ON DELETE CASCADE,
  PRIMARY KEY (ledger_id, kind, about_on),
  CHECK (num_nonnulls(mail_id, text_id) > 0)
);
COMMENT ON COLUMN reminders.about_on IS
  'the due date of the rent, or the day from which the gate is suspended';
COMMENT ON COLUMN reminders.place IS 'of the facts of one mail; the first one is its kind';
CREATE INDEX ON reminders (mail_id);
CREATE INDEX ON reminders (text_id) WHERE text_id IS NOT NULL;
ALTER TABLE reminders ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY work ON reminders TO gatehouse_work USING (true);
GRANT SELECT, INSERT, UPDATE (mail_id) ON reminders TO gatehouse_work;

-- The kinds of reminders that a tenant record does not want; without a row it gets them.
CREATE TABLE reminder_stops (
  tenant_id uuid NOT NULL REFERENCES tenants,
  kind text NOT NULL CHECK (kind IN ('rent_soon', 'rent_today', 'gate_soon')),
  stopped_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, kind)
);
ALTER TABLE reminder_stops ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY own ON reminder_stops TO gatehouse_app
  USING (tenant_id = ANY ((SELECT own_tenants())::uuid[]));
CREATE POLICY work ON reminder_stops TO gatehouse_work USING (true);
GRANT SELECT, INSERT, DELETE ON reminder_stops TO gatehouse_app;
GRANT SELECT, INSERT ON reminder_stops TO gatehouse_work;
