-- A tenant's request counts within limits; what is over goes by a job.
REVOKE DELETE ON limit_counts FROM gatehouse_app;
GRANT DELETE ON limit_counts TO gatehouse_work;

-- What a row that goes is looked for in: without an index each one reads the whole table.
CREATE INDEX ON rate_notices (mail_id);
CREATE INDEX ON autopays (mandate_id) WHERE mandate_id IS NOT NULL;
CREATE INDEX ON autopay_updates (mandate_id) WHERE mandate_id IS NOT NULL;
CREATE INDEX ON requests (image_id) WHERE image_id IS NOT NULL;

DROP FUNCTION forget_old_rows(integer);

-- Forgets what is older than docs/retention.md keeps it, at most so many rows of one kind, and answers how many: as many again
-- may be left. A kind that fails keeps no other. With the owner's rights, because the server may not delete these; by the
-- database's own clock, so that nobody can make it later than it is.
CREATE FUNCTION forget_old_rows(kind text, most integer) RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  chain public.audit_chain;
  last bigint;
  gone uuid[];
  count integer;
BEGIN
  CASE kind
  WHEN 'registrations' THEN
    DELETE FROM registrations WHERE token_hash IN (
      SELECT token_hash FROM registrations WHERE created_at < now() - interval '1 day' LIMIT most FOR UPDATE SKIP LOCKED);

  WHEN 'sessions' THEN
    DELETE FROM sessions WHERE token_hash IN (
      SELECT token_hash FROM sessions WHERE created_at < now() - interval '30 days' LIMIT most FOR UPDATE SKIP LOCKED);

  WHEN 'mail_texts' THEN
    UPDATE mails SET text_body = '', html_body = '' WHERE id IN (
      SELECT id FROM mails WHERE text_body <> '' AND body_until < now() ORDER BY body_until LIMIT most
      FOR UPDATE SKIP LOCKED);

  WHEN 'mails' THEN
    -- A rate change rests on its notice's mail for good.
    DELETE FROM mails WHERE id IN (
      SELECT m.id FROM mails m WHERE m.created_at < now() - interval '2 years'
        AND NOT EXISTS (SELECT FROM rate_notices n WHERE n.mail_id = m.id)
      LIMIT most FOR UPDATE SKIP LOCKED);

  WHEN 'requests' THEN
    DELETE FROM requests WHERE id IN (
      SELECT id FROM requests WHERE created_at < now() - interval '2 years' LIMIT most FOR UPDATE SKIP LOCKED);

  WHEN 'gateway_events' THEN
    DELETE FROM gateway_events WHERE id IN (
      SELECT id FROM gateway_events
      WHERE received_at < now() - interval '90 days' AND (state = 'done' OR received_at < now() - interval '2 years')
      LIMIT most FOR UPDATE SKIP LOCKED);

  WHEN 'webhook_deliveries' THEN
    DELETE FROM webhook_deliveries WHERE event_id IN (
      SELECT event_id FROM webhook_deliveries WHERE delivered_at < now() - interval '90 days' LIMIT most
      FOR UPDATE SKIP LOCKED);

  WHEN 'autopay_updates' THEN
    DELETE FROM autopay_updates WHERE ctid IN (
      SELECT ctid FROM autopay_updates WHERE created_at < now() - interval '30 days' LIMIT most FOR UPDATE SKIP LOCKED);

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
    SELECT coalesce(min(old.position) FILTER (WHERE old.at >= now() - interval '2 years') - 1, max(old.position)) INTO last
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
