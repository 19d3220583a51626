-- The audit trail, what is forgotten when (docs/retention.md), and what operators keep.

-- What was done to accounts and shown of secrets: written by the server, never changed, and
-- chained. An event is written without a lock and gets its place in the chain within a minute, from
-- chain_audit_events.
CREATE TABLE audit_events (
  id bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
  at timestamptz NOT NULL,
  kind text NOT NULL CHECK (kind ~ '^[a-z_]{3,40}$'),
  user_id uuid,
  tenant_id uuid,
  facility_id uuid,
  ledger_id uuid,
  account bytea,
  ip text CHECK (ip ~ '^[0-9a-fA-F:.]{2,45}$'),
  request_id uuid,
  details jsonb CHECK (length(details::text) <= 1000),
  position bigint UNIQUE,
  hash bytea,
  CHECK ((position IS NULL) = (hash IS NULL))
);
COMMENT ON TABLE audit_events IS
  'without foreign keys: what happened stays, whatever becomes of whom it happened to';
COMMENT ON COLUMN audit_events.account IS 'a keyed digest of what was typed as the account';
COMMENT ON COLUMN audit_events.position IS 'the place in the chain; null for the last minute''s';
COMMENT ON COLUMN audit_events.hash IS
  'SHA-256 of the hash before it and of this event (audit_content)';
CREATE INDEX audit_events_waiting ON audit_events (id) WHERE position IS NULL;
CREATE INDEX ON audit_events (user_id, at);
CREATE INDEX ON audit_events (ledger_id, at) WHERE ledger_id IS NOT NULL;
-- How many refusals an address or all of them were noted for within the hour.
CREATE INDEX audit_events_refused
  ON audit_events (kind, at) WHERE kind IN ('access_refused', 'token_misplaced');
-- Failed sign-ins are counted every five minutes.
CREATE INDEX audit_events_sign_in_failed
  ON audit_events (at) INCLUDE (account) WHERE kind = 'sign_in_failed';
CREATE INDEX audit_events_of_tenant ON audit_events (tenant_id, id) WHERE tenant_id IS NOT NULL;
CREATE INDEX audit_events_of_staff ON audit_events (id) WHERE kind = 'staff_action';
CREATE INDEX audit_events_of_facility ON audit_events (facility_id, id);
ALTER TABLE audit_events ENABLE ROW LEVEL SECURITY;
CREATE POLICY others ON audit_events TO gatehouse_app, gatehouse_work USING (true);
CREATE POLICY office ON audit_events FOR SELECT TO gatehouse_office
  USING ((SELECT office_is_all()) OR facility_id = ANY ((SELECT office_facilities())::uuid[]));
GRANT INSERT (at, kind, user_id, tenant_id, facility_id, ledger_id, account, ip, request_id,
  details) ON audit_events TO gatehouse_app;
GRANT SELECT ON audit_events TO gatehouse_work, gatehouse_office;

-- Where the chain begins and ends: one row, which is locked to add to it or to forget.
CREATE TABLE audit_chain (
  is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only),
  base_position bigint NOT NULL DEFAULT 0,
  base_hash bytea NOT NULL DEFAULT '',
  position bigint NOT NULL DEFAULT 0,
  hash bytea NOT NULL DEFAULT ''
);
COMMENT ON COLUMN audit_chain.base_position IS
  'the last event that was forgotten of old age; 0 for none';
GRANT SELECT ON audit_chain TO gatehouse_work;

INSERT INTO audit_chain DEFAULT VALUES;

-- The text that is hashed: each part is of an alphabet without '|', but the last.
CREATE FUNCTION audit_content(e audit_events) RETURNS text LANGUAGE sql STABLE
  SET search_path = pg_catalog AS $$
  SELECT concat_ws('|', e.position, e.id, extract(epoch FROM e.at), e.kind,
    coalesce(e.user_id::text, '-'), coalesce(e.tenant_id::text, '-'),
    coalesce(e.facility_id::text, '-'), coalesce(e.ledger_id::text, '-'),
    coalesce(encode(e.account, 'hex'), '-'), coalesce(e.ip, '-'),
    coalesce(e.request_id::text, '-'), coalesce(e.details::text, '-'))
$$;
REVOKE EXECUTE ON FUNCTION audit_content FROM PUBLIC;
GRANT EXECUTE ON FUNCTION audit_content TO gatehouse_work;

-- Gives the events that wait their places, the oldest first, and answers where the chain ends then.
-- The owner's rights: the server may neither choose a place or hash nor change one.
CREATE FUNCTION chain_audit_events(most integer)
  RETURNS TABLE (added integer, last_position bigint, last_hash bytea)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  chain public.audit_chain;
  event public.audit_events;
  count integer := 0;
BEGIN
  SELECT * INTO STRICT chain FROM public.audit_chain FOR UPDATE;
  FOR event IN
    SELECT * FROM public.audit_events e WHERE e.position IS NULL ORDER BY e.id LIMIT most
  LOOP
    count := count + 1;
    chain.position := chain.position + 1;
    event.position := chain.position;
    chain.hash := sha256(chain.hash || convert_to(public.audit_content(event), 'UTF8'));
    UPDATE public.audit_events SET position = chain.position, hash = chain.hash WHERE id = event.id;
  END LOOP;
  UPDATE public.audit_chain SET position = chain.position, hash = chain.hash WHERE count > 0;
  RETURN QUERY SELECT count, chain.position, chain.hash;
END
$$;
REVOKE EXECUTE ON FUNCTION chain_audit_events FROM PUBLIC;
GRANT EXECUTE ON FUNCTION chain_audit_events TO gatehouse_work;

-- Forgets what is older than docs/retention.md keeps it, at most `most` rows of one kind, and
-- answers how many: as many again may be left. A kind that fails keeps no other. With the owner's
-- rights, because the server may not delete these; by the database's own clock, so that it cannot
-- be made later than it is.
CREATE FUNCTION forget_old_rows(kind text, most integer) RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  chain public.audit_chain;
  last bigint;
  gone uuid[];
  count integer;
BEGIN
  CASE kind
  WHEN 'sessions' THEN
    DELETE FROM sessions WHERE token_hash IN (
      SELECT token_hash FROM sessions WHERE created_at < now() - interval '30 days'
      LIMIT most FOR UPDATE SKIP LOCKED);

  WHEN 'mail_texts' THEN
    UPDATE mails SET text_body = '', html_body = '' WHERE id IN (
      SELECT id FROM mails WHERE text_body <> '' AND body_until < now()
      ORDER BY body_until LIMIT most FOR UPDATE SKIP LOCKED);

  WHEN 'mails' THEN
    -- A rate change rests on its notice's mail for good.
    DELETE FROM mails WHERE id IN (
      SELECT m.id FROM mails m WHERE m.created_at < now() - interval '2 years'
        AND NOT EXISTS (SELECT FROM rate_notices n WHERE n.mail_id = m.id)
      LIMIT most FOR UPDATE SKIP LOCKED);

  WHEN 'requests' THEN
    DELETE FROM requests WHERE id IN (
      SELECT id FROM requests WHERE created_at < now() - interval '2 years'
      LIMIT most FOR UPDATE SKIP LOCKED);

  WHEN 'gateway_events' THEN
    DELETE FROM gateway_events WHERE id IN (
      SELECT id FROM gateway_events
      WHERE received_at < now() - interval '90 days'
        AND (state = 'done' OR received_at < now() - interval '2 years')
      LIMIT most FOR UPDATE SKIP LOCKED);

  WHEN 'webhook_deliveries' THEN
    DELETE FROM webhook_deliveries WHERE event_id IN (
      SELECT event_id FROM webhook_deliveries WHERE delivered_at < now() - interval '90 days'
      LIMIT most FOR UPDATE SKIP LOCKED);

  WHEN 'autopay_updates' THEN
    DELETE FROM autopay_updates WHERE ctid IN (
      SELECT ctid FROM autopay_updates WHERE created_at < now() - interval '30 days'
      LIMIT most FOR UPDATE SKIP LOCKED);

  WHEN 'mandates' THEN
    gone := ARRAY(
      SELECT e.mandate_id FROM mandate_ends e WHERE e.ended_at < now() - interval '2 years'
        AND NOT EXISTS (SELECT FROM autopay_updates u WHERE u.mandate_id = e.mandate_id)
      LIMIT most FOR UPDATE SKIP LOCKED);
    UPDATE autopays SET mandate_id = NULL WHERE mandate_id = ANY(gone);
    DELETE FROM mandate_ends WHERE mandate_id = ANY(gone);
    DELETE FROM mandates WHERE id = ANY(gone);

  WHEN 'audit_events' THEN
    -- The chain begins where the forgotten ones end: only its oldest go, in order.
    SELECT * INTO STRICT chain FROM audit_chain FOR UPDATE;
    SELECT coalesce(min(old.position) FILTER (WHERE old.at >= now() - interval '2 years') - 1,
      max(old.position)) INTO last
    FROM (SELECT e.position, e.at FROM audit_events e WHERE e.position > chain.base_position
      ORDER BY e.position LIMIT most) old;
    IF last IS NULL OR last <= chain.base_position THEN
      RETURN 0;
    END IF;
    UPDATE audit_chain SET base_position = last,
      base_hash = (SELECT e.hash FROM audit_events e WHERE e.position = last);
    DELETE FROM audit_events WHERE position <= last;
  END CASE;
  GET DIAGNOSTICS count = ROW_COUNT;
  RETURN count;
END
$$;
REVOKE EXECUTE ON FUNCTION forget_old_rows FROM PUBLIC;
GRANT EXECUTE ON FUNCTION forget_old_rows TO gatehouse_work;

-- The photos among them, whose files the caller removes; a request that is kept keeps its photo.
CREATE FUNCTION forget_old_images(most integer) RETURNS SETOF uuid
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
  DELETE FROM images WHERE id IN (
    SELECT i.id FROM images i WHERE i.created_at < now() - interval '2 years'
      AND NOT EXISTS (SELECT FROM requests r WHERE r.image_id = i.id)
    LIMIT most FOR UPDATE SKIP LOCKED)
  RETURNING file_key
$$;
REVOKE EXECUTE ON FUNCTION forget_old_images FROM PUBLIC;
GRANT EXECUTE ON FUNCTION forget_old_images TO gatehouse_work;

-- The papers of rentals that ended long ago, and those that were replaced long ago; the caller
-- removes their files.
CREATE FUNCTION forget_old_vehicle_papers(most integer) RETURNS SETOF uuid
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
  DELETE FROM vehicle_papers WHERE id IN (
    SELECT p.id FROM vehicle_papers p JOIN ledgers l ON l.id = p.ledger_id
    WHERE p.replaced_at < now() - interval '2 years' OR l.moved_out_on < now() - interval '2 years'
    LIMIT most FOR UPDATE OF p SKIP LOCKED)
  RETURNING file_key
$$;
REVOKE EXECUTE ON FUNCTION forget_old_vehicle_papers FROM PUBLIC;
GRANT EXECUTE ON FUNCTION forget_old_vehicle_papers TO gatehouse_work;

-- The same of text messages.
CREATE FUNCTION forget_old_texts(kind text, most integer) RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  gone uuid[];
  count integer;
BEGIN
  CASE kind
  WHEN 'bodies' THEN
    UPDATE texts SET body = '' WHERE id IN (
      SELECT id FROM texts WHERE body <> '' AND body_until < now()
      ORDER BY body_until LIMIT most FOR UPDATE SKIP LOCKED);

  WHEN 'texts' THEN
    DELETE FROM texts WHERE id IN (
      SELECT id FROM texts WHERE created_at < now() - interval '2 years'
      LIMIT most FOR UPDATE SKIP LOCKED);

  WHEN 'codes' THEN
    DELETE FROM text_codes WHERE tenant_id IN (
      SELECT tenant_id FROM text_codes WHERE created_at < now() - interval '1 day'
      LIMIT most FOR UPDATE SKIP LOCKED);

  WHEN 'replies' THEN
    DELETE FROM text_replies WHERE id IN (
      SELECT id FROM text_replies WHERE word NOT IN ('stop', 'start')
        AND received_at < now() - interval '90 days'
      LIMIT most FOR UPDATE SKIP LOCKED);

  WHEN 'consents' THEN
    -- As long as a tenant may sue for an unwanted text (28 U.S.C. 1658), and a year more.
    gone := ARRAY(
      SELECT consent_id FROM text_consent_ends WHERE ended_at < now() - interval '5 years'
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

-- How old the keys are, which operators are shown. The owner writes them.
CREATE TABLE known_keys (
  kind text NOT NULL CHECK (kind IN ('data', 'secret')),
  key_id text NOT NULL CHECK (key_id ~ '^[0-9a-f]{16}$'),
  first_seen_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (kind, key_id)
);
COMMENT ON TABLE known_keys IS 'an id distinguishes keys and reveals nothing of them';
GRANT SELECT ON known_keys TO gatehouse_work;

-- When backups were made. The owner writes them.
CREATE TABLE backups (
  id bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
  made_at timestamptz NOT NULL,
  place text NOT NULL,
  rows bigint NOT NULL,
  bytes bigint NOT NULL
);
CREATE INDEX ON backups (made_at);
GRANT SELECT ON backups TO gatehouse_work;

-- The operator's own ids of what was imported (docs/import.md), so that a second import finds each
-- row again. What was made here has none, and goes by its own id. Not for the roles that serve:
-- only the owner imports and exports.
CREATE TABLE external_ids (
  facility_id uuid NOT NULL REFERENCES facilities,
  kind text NOT NULL CHECK (kind IN ('discount_plan', 'protection_plan', 'tenant', 'ledger',
    'charge', 'payment', 'plan_term', 'private_policy', 'document', 'payment_method')),
  external_id text NOT NULL CHECK (external_id <> ''),
  row_id uuid NOT NULL,
  PRIMARY KEY (facility_id, kind, external_id)
);
COMMENT ON COLUMN external_ids.row_id IS
  'of an entry for a charge or payment, else of the row of that kind';
CREATE UNIQUE INDEX ON external_ids (row_id);

-- The address that the operator's files said of a tenant when they were last imported, so that an
-- old file says nothing new. Only for the owner, as external_ids.
CREATE TABLE imported_tenants (
  tenant_id uuid PRIMARY KEY REFERENCES tenants,
  email text NOT NULL
);

-- The same of a rental.
CREATE TABLE imported_ledgers (
  ledger_id uuid PRIMARY KEY REFERENCES ledgers,
  rental_rate_cents bigint NOT NULL,
  scheduled_rate_cents bigint,
  scheduled_rate_on date,
  balance_cents bigint NOT NULL,
  moved_out_on date
);
