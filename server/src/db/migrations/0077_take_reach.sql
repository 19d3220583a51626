-- Who calls with a session's token, and from then on the connection reaches their rows alone: the guard's question, and what
-- row-level security compares with, in one statement of the role of tenants' requests. With the owner's rights, because that
-- role sees no session before it has a reach. Answers null, and reaches nobody's rows, for a token of no session.
CREATE FUNCTION take_reach(token bytea, at timestamptz, idle interval, longest interval) RETURNS json
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  one record;
BEGIN
  SELECT u.id AS user_id, own.ids AS tenant_ids, rented.ids AS ledger_ids,
    json_build_object('userId', u.id, 'facilityId', f.id, 'timeZone', f.time_zone, 'locationCode', f.location_code,
      'corporationCode', c.code, 'isStale', s.last_seen_at < at - interval '1 minute',
      'proofKey', encode(s.proof_key, 'base64'), 'tenantIds', own.ids, 'ledgers', coalesce(rented.list, '[]')) AS caller
  INTO one
  FROM sessions s
  JOIN users u ON u.id = s.user_id AND u.disabled_at IS NULL
  JOIN facilities f ON f.id = s.facility_id
  JOIN corporations c ON c.id = f.corporation_id
  CROSS JOIN LATERAL (
    SELECT coalesce(array_agg(t.id ORDER BY ut.position, t.id), '{}') AS ids
    FROM user_tenants ut JOIN tenants t ON t.id = ut.tenant_id
    WHERE ut.user_id = u.id AND t.facility_id = f.id AND lower(t.email) = lower(u.email)
  ) own
  CROSS JOIN LATERAL (
    SELECT array_agg(l.id) AS ids,
      json_agg(json_build_object('id', l.id, 'unitId', l.unit_id, 'movedOutOn', l.moved_out_on)) AS list
    FROM ledgers l WHERE l.tenant_id = ANY (own.ids)
  ) rented
  WHERE s.token_hash = token AND s.last_seen_at > at - idle AND s.created_at > at - longest;
  PERFORM set_config('app.user_id', coalesce(one.user_id::text, ''), false),
    set_config('app.tenant_ids', coalesce(one.tenant_ids::text, '{}'), false),
    set_config('app.ledger_ids', coalesce(one.ledger_ids::text, '{}'), false);
  RETURN one.caller;
END $$;
REVOKE EXECUTE ON FUNCTION take_reach FROM PUBLIC;
GRANT EXECUTE ON FUNCTION take_reach TO gatehouse_app;
