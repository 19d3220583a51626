-- An address that records of several names share reaches those only that the operator joined, so
-- that no sign-in shows the records of strangers.

ALTER TABLE tenants ADD COLUMN joined_at timestamptz;
COMMENT ON COLUMN tenants.joined_at IS
  'when the operator let the address reach the record although others have it too; null where not';
GRANT UPDATE (joined_at) ON tenants TO gatehouse_work;
GRANT SELECT (joined_at) ON tenants TO gatehouse_office;

-- The operator's other records with the address of this one under another name.
CREATE FUNCTION strangers_at_address(of_tenant uuid) RETURNS SETOF uuid STABLE LANGUAGE sql
BEGIN ATOMIC
  SELECT other.id
  FROM tenants t
  JOIN facilities f ON f.id = t.facility_id
  JOIN tenants other ON lower(other.email) = lower(t.email) AND other.id <> t.id
  JOIN facilities there
    ON there.id = other.facility_id AND there.corporation_id = f.corporation_id
  -- Names of signs only are nobody's.
  WHERE t.id = of_tenant AND (other.first_key || other.last_key)
    IS DISTINCT FROM nullif(t.first_key || t.last_key, '');
END;

-- Whether who has the address of a record may sign in to it: one who did before this came may
-- still. It sees every facility's records, whoever asks.
CREATE FUNCTION is_reached_by_address(of_tenant uuid) RETURNS boolean STABLE LANGUAGE sql
  SECURITY DEFINER SET search_path = public, pg_temp
BEGIN ATOMIC
  SELECT t.joined_at IS NOT NULL
    OR EXISTS (
      SELECT FROM user_tenants ut JOIN users u ON u.id = ut.user_id
      WHERE ut.tenant_id = t.id AND lower(u.email) = lower(t.email))
    OR NOT EXISTS (SELECT FROM strangers_at_address(t.id))
  FROM tenants t WHERE t.id = of_tenant;
END;
REVOKE EXECUTE ON FUNCTION is_reached_by_address FROM PUBLIC;
GRANT EXECUTE ON FUNCTION is_reached_by_address TO gatehouse_work, gatehouse_office;
