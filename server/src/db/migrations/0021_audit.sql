-- What was done to accounts and shown of secrets (D28): written by the server, never changed, and chained (I9). An event is
-- written without a lock and gets its place in the chain within a minute, from chain_audit_events.
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
COMMENT ON TABLE audit_events IS 'without foreign keys: what happened stays, whatever becomes of whom it happened to';
COMMENT ON COLUMN audit_events.account IS 'a keyed digest of what was typed as the account';
COMMENT ON COLUMN audit_events.position IS 'the place in the chain; null for the last minute''s';
COMMENT ON COLUMN audit_events.hash IS 'SHA-256 of the hash before it and of this event (audit_content)';
CREATE INDEX audit_events_waiting ON audit_events (id) WHERE position IS NULL;
CREATE INDEX ON audit_events (user_id, at);
CREATE INDEX ON audit_events (ledger_id, at) WHERE ledger_id IS NOT NULL;
-- How many refusals an address or all of them were noted for within the hour.
CREATE INDEX audit_events_refused ON audit_events (kind, at) WHERE kind IN ('access_refused', 'token_misplaced');

-- Where the chain begins and ends: one row, and the lock of whoever adds to it or forgets.
CREATE TABLE audit_chain (
  is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only),
  base_position bigint NOT NULL DEFAULT 0,
  base_hash bytea NOT NULL DEFAULT '',
  position bigint NOT NULL DEFAULT 0,
  hash bytea NOT NULL DEFAULT ''
);
INSERT INTO audit_chain DEFAULT VALUES;
COMMENT ON COLUMN audit_chain.base_position IS 'the last event that was forgotten of old age; 0 for none';

-- The text that is hashed: each part is of an alphabet without '|', but the last.
CREATE FUNCTION audit_content(e audit_events) RETURNS text LANGUAGE sql STABLE SET search_path = pg_catalog AS $$
  SELECT concat_ws('|', e.position, e.id, extract(epoch FROM e.at), e.kind, coalesce(e.user_id::text, '-'),
    coalesce(e.tenant_id::text, '-'), coalesce(e.facility_id::text, '-'), coalesce(e.ledger_id::text, '-'),
    coalesce(encode(e.account, 'hex'), '-'), coalesce(e.ip, '-'), coalesce(e.request_id::text, '-'),
    coalesce(e.details::text, '-'))
$$;

-- Gives the events that wait their places, the oldest first, and answers where the chain ends then. The owner's rights:
-- the server may neither choose a place or hash nor change one.
CREATE FUNCTION chain_audit_events(most integer) RETURNS TABLE (added integer, last_position bigint, last_hash bytea)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  chain public.audit_chain;
  event public.audit_events;
  count integer := 0;
BEGIN
  SELECT * INTO STRICT chain FROM public.audit_chain FOR UPDATE;
  FOR event IN SELECT * FROM public.audit_events e WHERE e.position IS NULL ORDER BY e.id LIMIT most LOOP
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

-- A mail's text goes before its row: a code's after a day.
ALTER TABLE mails ADD COLUMN body_until timestamptz NOT NULL DEFAULT now() + interval '90 days';
UPDATE mails SET body_until = created_at + CASE subject WHEN 'Your verification code' THEN interval '1 day'
  ELSE interval '90 days' END;
COMMENT ON COLUMN mails.body_until IS 'when its text is blanked (docs/retention.md)';
CREATE INDEX mails_with_body ON mails (body_until) WHERE text_body <> '';
CREATE INDEX ON mails (created_at);
CREATE INDEX ON sessions (created_at);
CREATE INDEX ON requests (created_at);
CREATE INDEX ON images (created_at);
CREATE INDEX ON mandate_ends (ended_at);
CREATE INDEX ON gateway_events (received_at);
CREATE INDEX ON autopay_updates (created_at);

-- Forgets what is older than docs/retention.md keeps it, at most so many rows of each kind, and answers the most that one
-- kind had: as many again may be left. With the owner's rights, because the server may not delete these; by the database's
-- own clock, so that nobody can make it later than it is.
CREATE FUNCTION forget_old_rows(most integer) RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  chain public.audit_chain;
  last bigint;
  gone uuid[];
  count integer;
  greatest_count integer := 0;
BEGIN
  DELETE FROM registrations WHERE token_hash IN (
    SELECT token_hash FROM registrations WHERE created_at < now() - interval '1 day' LIMIT most FOR UPDATE SKIP LOCKED);
  GET DIAGNOSTICS count = ROW_COUNT;
  greatest_count := greatest(greatest_count, count);

  DELETE FROM sessions WHERE token_hash IN (
    SELECT token_hash FROM sessions WHERE created_at < now() - interval '30 days' LIMIT most FOR UPDATE SKIP LOCKED);
  GET DIAGNOSTICS count = ROW_COUNT;
  greatest_count := greatest(greatest_count, count);

  UPDATE mails SET text_body = '', html_body = '' WHERE id IN (
    SELECT id FROM mails WHERE text_body <> '' AND body_until < now() ORDER BY body_until LIMIT most
    FOR UPDATE SKIP LOCKED);
  GET DIAGNOSTICS count = ROW_COUNT;
  greatest_count := greatest(greatest_count, count);

  -- A rate change rests on its notice's mail for good.
  DELETE FROM mails WHERE id IN (
    SELECT m.id FROM mails m WHERE m.created_at < now() - interval '2 years'
      AND NOT EXISTS (SELECT FROM rate_notices n WHERE n.mail_id = m.id)
    LIMIT most FOR UPDATE SKIP LOCKED);
  GET DIAGNOSTICS count = ROW_COUNT;
  greatest_count := greatest(greatest_count, count);

  DELETE FROM requests WHERE id IN (
    SELECT id FROM requests WHERE created_at < now() - interval '2 years' LIMIT most FOR UPDATE SKIP LOCKED);
  GET DIAGNOSTICS count = ROW_COUNT;
  greatest_count := greatest(greatest_count, count);

  DELETE FROM gateway_events WHERE id IN (
    SELECT id FROM gateway_events
    WHERE received_at < now() - interval '90 days' AND (state = 'done' OR received_at < now() - interval '2 years')
    LIMIT most FOR UPDATE SKIP LOCKED);
  GET DIAGNOSTICS count = ROW_COUNT;
  greatest_count := greatest(greatest_count, count);

  DELETE FROM autopay_updates WHERE ctid IN (
    SELECT ctid FROM autopay_updates WHERE created_at < now() - interval '30 days' LIMIT most FOR UPDATE SKIP LOCKED);
  GET DIAGNOSTICS count = ROW_COUNT;
  greatest_count := greatest(greatest_count, count);

  gone := ARRAY(
    SELECT e.mandate_id FROM mandate_ends e WHERE e.ended_at < now() - interval '2 years'
      AND NOT EXISTS (SELECT FROM autopay_updates u WHERE u.mandate_id = e.mandate_id)
    LIMIT most FOR UPDATE SKIP LOCKED);
  UPDATE autopays SET mandate_id = NULL WHERE mandate_id = ANY(gone);
  DELETE FROM mandate_ends WHERE mandate_id = ANY(gone);
  DELETE FROM mandates WHERE id = ANY(gone);
  greatest_count := greatest(greatest_count, cardinality(gone));

  -- The chain begins where the forgotten ones end: only its oldest go, in order.
  SELECT * INTO STRICT chain FROM audit_chain FOR UPDATE;
  SELECT coalesce(min(old.position) FILTER (WHERE old.at >= now() - interval '2 years') - 1, max(old.position)) INTO last
  FROM (SELECT e.position, e.at FROM audit_events e WHERE e.position > chain.base_position
    ORDER BY e.position LIMIT most) old;
  IF last > chain.base_position THEN
    UPDATE audit_chain SET base_position = last,
      base_hash = (SELECT e.hash FROM audit_events e WHERE e.position = last);
    DELETE FROM audit_events WHERE position <= last;
    greatest_count := greatest(greatest_count, (last - chain.base_position)::integer);
  END IF;
  RETURN greatest_count;
END
$$;

-- The photos among them, whose files are removed by whoever asks; a request that is kept keeps its photo.
CREATE FUNCTION forget_old_images(most integer) RETURNS SETOF uuid
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
  DELETE FROM images WHERE id IN (
    SELECT i.id FROM images i WHERE i.created_at < now() - interval '2 years'
      AND NOT EXISTS (SELECT FROM requests r WHERE r.image_id = i.id)
    LIMIT most FOR UPDATE SKIP LOCKED)
  RETURNING file_key
$$;

REVOKE EXECUTE ON FUNCTION audit_content, chain_audit_events, forget_old_rows, forget_old_images FROM PUBLIC;
GRANT EXECUTE ON FUNCTION audit_content, chain_audit_events, forget_old_rows, forget_old_images TO gatehouse_work;
-- A tenant's request adds to the trail and sees nothing of it.
GRANT INSERT (at, kind, user_id, tenant_id, facility_id, ledger_id, account, ip, request_id, details) ON audit_events
  TO gatehouse_app;
GRANT SELECT ON audit_events, audit_chain TO gatehouse_work;
