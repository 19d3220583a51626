-- A session that its user keeps on a phone, begun by a passkey: it lasts until a day, whatever happens in it, and what pays
-- or changes contacts needs the passkey again. Only a session that is bound to its browser is kept, and it ends with its
-- passkey.
ALTER TABLE sessions
  ADD COLUMN kept_by uuid REFERENCES passkeys ON DELETE CASCADE,
  ADD COLUMN kept_until timestamptz,
  ADD COLUMN confirmed_at timestamptz,
  ADD CONSTRAINT sessions_kept_whole CHECK (num_nonnulls(kept_by, kept_until, confirmed_at) IN (0, 3)),
  ADD CONSTRAINT sessions_kept_bound CHECK (kept_by IS NULL OR proof_key IS NOT NULL);
COMMENT ON COLUMN sessions.kept_by IS 'the passkey that began a kept session; null for any other session';
COMMENT ON COLUMN sessions.confirmed_at IS 'when a passkey of the user was last used in a kept session';
CREATE INDEX ON sessions (kept_by) WHERE kept_by IS NOT NULL;
GRANT UPDATE (confirmed_at) ON sessions TO gatehouse_app;
GRANT UPDATE (counter, is_synced, last_used_at) ON passkeys TO gatehouse_app;

-- The gate codes that were shown in a kept session, as digests under the server's key: one that has changed since needs the
-- passkey again.
CREATE TABLE shown_gate_codes (
  token_hash bytea NOT NULL REFERENCES sessions ON DELETE CASCADE,
  ledger_id uuid NOT NULL REFERENCES ledgers,
  digest bytea NOT NULL CHECK (octet_length(digest) = 32),
  PRIMARY KEY (token_hash, ledger_id)
);
GRANT SELECT, INSERT, UPDATE (digest) ON shown_gate_codes TO gatehouse_app;
ALTER TABLE shown_gate_codes ENABLE ROW LEVEL SECURITY;
ALTER TABLE shown_gate_codes FORCE ROW LEVEL SECURITY;
CREATE POLICY own ON shown_gate_codes TO gatehouse_app
  USING (ledger_id = ANY ((SELECT own_ledgers())::uuid[]) AND token_hash IN (SELECT s.token_hash FROM sessions s));
CREATE POLICY work ON shown_gate_codes TO gatehouse_work USING (true);

-- Whether a session still lasts: a kept one until its day, any other one while it is neither idle nor as old as one may get.
CREATE FUNCTION session_lasts(one sessions, at timestamptz, idle interval, longest interval) RETURNS boolean
  STABLE PARALLEL SAFE LANGUAGE sql
  RETURN CASE WHEN (one).kept_until IS NULL THEN (one).last_seen_at > at - idle AND (one).created_at > at - longest
    ELSE (one).kept_until > at END;

-- As before, for kept sessions too, and when one was last confirmed.
CREATE OR REPLACE FUNCTION take_reach(token bytea, at timestamptz, idle interval, longest interval) RETURNS json
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  one record;
BEGIN
  SELECT u.id AS user_id, own.ids AS tenant_ids, rented.ids AS ledger_ids,
    json_build_object('userId', u.id, 'facilityId', f.id, 'timeZone', f.time_zone, 'locationCode', f.location_code,
      'corporationCode', c.code, 'isStale', s.last_seen_at < at - interval '1 minute',
      'proofKey', encode(s.proof_key, 'base64'), 'confirmedAt', s.confirmed_at, 'tenantIds', own.ids,
      'ledgers', coalesce(rented.list, '[]')) AS caller
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
  WHERE s.token_hash = token AND session_lasts(s, at, idle, longest);
  PERFORM set_config('app.user_id', coalesce(one.user_id::text, ''), false),
    set_config('app.tenant_ids', coalesce(one.tenant_ids::text, '{}'), false),
    set_config('app.ledger_ids', coalesce(one.ledger_ids::text, '{}'), false);
  RETURN one.caller;
END $$;
