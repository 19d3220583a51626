-- Whether a facility sends reminders by text message to tenants who have agreed: off until the operator says so.
ALTER TABLE facilities ADD COLUMN sends_texts boolean NOT NULL DEFAULT false;
GRANT UPDATE (sends_texts) ON facilities TO gatehouse_work;

-- A US number as providers take it, of a phone as it is on file; null for what is none.
CREATE FUNCTION text_phone(phone text) RETURNS text IMMUTABLE PARALLEL SAFE LANGUAGE sql
  RETURN '+1' || substring(regexp_replace(phone, '\D', '', 'g') FROM '^1?(\d{10})$');

-- Every text message: queued here in the transaction that makes it necessary, and handed over once at most. It is `sending`
-- from before the provider is called until its answer: what is found so by a later job may have been sent.
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
  CHECK (state IN ('waiting', 'dropped') OR tried_at IS NOT NULL)
);
COMMENT ON COLUMN texts.body IS 'sealed; empty once it has been deleted (docs/retention.md)';
COMMENT ON COLUMN texts.code IS 'why the provider did not send or deliver it, in its own codes';
CREATE INDEX ON texts (tenant_id, position);
CREATE INDEX ON texts (body_until) WHERE body <> '';
CREATE INDEX ON texts (created_at);
GRANT INSERT, SELECT (id) ON texts TO gatehouse_app;
GRANT SELECT, UPDATE (state, tried_at, provider_id, code) ON texts TO gatehouse_work;

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
COMMENT ON COLUMN text_consents.confirmed_at IS 'when the number was shown to be the tenant''s, by a code or by texting START from it';
COMMENT ON COLUMN text_consents.renews IS 'the consent that STOP had ended, where START from the same number gave it again';
CREATE INDEX ON text_consents (tenant_id, confirmed_at);
CREATE INDEX ON text_consents (phone);
CREATE INDEX ON text_consents (renews) WHERE renews IS NOT NULL;
CREATE TABLE text_consent_ends (
  consent_id uuid PRIMARY KEY REFERENCES text_consents,
  ended_at timestamptz NOT NULL,
  reason text NOT NULL CHECK (reason IN ('switched_off', 'stopped', 'phone_changed', 'replaced')),
  user_id uuid REFERENCES users
);
GRANT SELECT, INSERT ON text_consents, text_consent_ends TO gatehouse_app;

-- What came from a number, each message of the provider once. The words of those that stop or start are evidence; of others
-- nothing is kept but that they came.
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
  WHERE r.from_phone = is_phone_stopped.phone AND r.word IN ('stop', 'start') ORDER BY r.position DESC LIMIT 1), false);
REVOKE EXECUTE ON FUNCTION is_phone_stopped FROM PUBLIC;
GRANT EXECUTE ON FUNCTION is_phone_stopped TO gatehouse_app, gatehouse_work;

-- Another phone on file ends the consent, whoever changes it: the number may be somebody else's by now.
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
  WHEN (text_phone(OLD.phone) IS DISTINCT FROM text_phone(NEW.phone)) EXECUTE FUNCTION end_texts_of_old_phone();

-- A reminder goes by mail, by text message, or by mail after its text could not be delivered.
ALTER TABLE reminders ALTER COLUMN mail_id DROP NOT NULL,
  ADD COLUMN text_id uuid REFERENCES texts ON DELETE CASCADE,
  ADD CHECK (num_nonnulls(mail_id, text_id) > 0);
CREATE INDEX ON reminders (text_id) WHERE text_id IS NOT NULL;
GRANT UPDATE (mail_id) ON reminders TO gatehouse_work;

DO $$
DECLARE
  walls text[][] := ARRAY[
    ['texts', 'tenant_id = ANY ((SELECT own_tenants())::uuid[])'],
    ['text_codes', 'tenant_id = ANY ((SELECT own_tenants())::uuid[])'],
    ['text_consents', 'tenant_id = ANY ((SELECT own_tenants())::uuid[])'],
    ['text_consent_ends', 'EXISTS (SELECT FROM text_consents c WHERE c.id = consent_id)']
  ];
BEGIN
  FOR place IN 1 .. array_length(walls, 1) LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', walls[place][1]);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', walls[place][1]);
    EXECUTE format('CREATE POLICY own ON %I TO gatehouse_app USING (%s)', walls[place][1], walls[place][2]);
    EXECUTE format('CREATE POLICY work ON %I TO gatehouse_work USING (true)', walls[place][1]);
  END LOOP;
END $$;

-- Forgets what is older than docs/retention.md keeps it, at most so many rows of one kind, and answers how many.
CREATE FUNCTION forget_old_texts(kind text, most integer) RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  gone uuid[];
  count integer;
BEGIN
  CASE kind
  WHEN 'bodies' THEN
    UPDATE texts SET body = '' WHERE id IN (
      SELECT id FROM texts WHERE body <> '' AND body_until < now() ORDER BY body_until LIMIT most FOR UPDATE SKIP LOCKED);

  WHEN 'texts' THEN
    DELETE FROM texts WHERE id IN (
      SELECT id FROM texts WHERE created_at < now() - interval '2 years' LIMIT most FOR UPDATE SKIP LOCKED);

  WHEN 'codes' THEN
    DELETE FROM text_codes WHERE tenant_id IN (
      SELECT tenant_id FROM text_codes WHERE created_at < now() - interval '1 day' LIMIT most FOR UPDATE SKIP LOCKED);

  WHEN 'replies' THEN
    DELETE FROM text_replies WHERE id IN (
      SELECT id FROM text_replies WHERE word NOT IN ('stop', 'start') AND received_at < now() - interval '90 days'
      LIMIT most FOR UPDATE SKIP LOCKED);

  WHEN 'consents' THEN
    -- As long as a tenant may sue for an unwanted text (28 U.S.C. 1658), and a year more.
    gone := ARRAY(SELECT consent_id FROM text_consent_ends WHERE ended_at < now() - interval '5 years'
      LIMIT most FOR UPDATE SKIP LOCKED);
    DELETE FROM text_consent_ends WHERE consent_id = ANY (gone);
    DELETE FROM text_consents WHERE id = ANY (gone);
  END CASE;
  GET DIAGNOSTICS count = ROW_COUNT;
  RETURN count;
END
$$;
REVOKE EXECUTE ON FUNCTION forget_old_texts FROM PUBLIC;
GRANT EXECUTE ON FUNCTION forget_old_texts TO gatehouse_work;
