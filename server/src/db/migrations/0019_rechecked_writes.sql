-- What the guard has found is checked again in each transaction of the caller that writes, as its
-- last statement before the commit (driver.ts). It locks the session's row, which whoever ends
-- the session deletes: either that waits for the commit, or the transaction waits and fails. The
-- code of the error is the status of the guard's refusal. Where the transaction itself ends the
-- session, it is checked as the first statement, under the lock of ending it.

-- For a tenant: the session, and that the user signs in and still reaches each of the records.
CREATE FUNCTION recheck_session(token bytea, is_first boolean) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF is_first THEN
    PERFORM FROM sessions s JOIN users u ON u.id = s.user_id AND u.disabled_at IS NULL
      WHERE s.token_hash = token FOR UPDATE OF s;
  -- Nothing was written.
  ELSIF pg_current_xact_id_if_assigned() IS NULL THEN
    RETURN;
  ELSE
    PERFORM FROM sessions s JOIN users u ON u.id = s.user_id AND u.disabled_at IS NULL
      WHERE s.token_hash = token FOR KEY SHARE OF s;
  END IF;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'the session has ended' USING ERRCODE = 'GH401';
  END IF;
  IF EXISTS (
    SELECT FROM unnest(own_tenants()) AS own (id)
    WHERE NOT EXISTS (
      SELECT FROM user_tenants ut JOIN users u ON u.id = ut.user_id
      JOIN tenants t ON t.id = ut.tenant_id AND lower(t.email) = lower(u.email)
      WHERE ut.user_id = own_user() AND ut.tenant_id = own.id)
  ) THEN
    RAISE EXCEPTION 'a record is no longer in reach' USING ERRCODE = 'GH404';
  END IF;
END $$;

-- For a member of staff: account and session, the role, and each of the facilities. The account
-- before the session, as those who end sessions do. As the owner: a member who is shown what a
-- tenant sees reads, and notes it, as a tenant's request, which may not read accounts.
CREATE FUNCTION recheck_staff(
  token bytea, member uuid, found_role text, found_facilities uuid[], is_first boolean
) RETURNS void SECURITY DEFINER LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
DECLARE
  present_role text;
BEGIN
  IF is_first THEN
    SELECT m.role INTO present_role FROM staff_members m
      WHERE m.id = member AND m.disabled_at IS NULL FOR NO KEY UPDATE;
    PERFORM FROM staff_sessions s WHERE s.token_hash = token FOR UPDATE;
  ELSIF pg_current_xact_id_if_assigned() IS NULL THEN
    RETURN;
  ELSE
    SELECT m.role INTO present_role FROM staff_members m
      WHERE m.id = member AND m.disabled_at IS NULL FOR SHARE;
    PERFORM FROM staff_sessions s WHERE s.token_hash = token FOR KEY SHARE;
  END IF;
  IF NOT FOUND OR present_role IS NULL THEN
    RAISE EXCEPTION 'the session has ended' USING ERRCODE = 'GH401';
  END IF;
  IF present_role <> found_role THEN
    RAISE EXCEPTION 'the role has changed' USING ERRCODE = 'GH403';
  END IF;
  IF EXISTS (
    SELECT FROM unnest(found_facilities) AS found (id)
    WHERE NOT EXISTS (
      SELECT FROM staff_members m JOIN facilities f ON f.corporation_id = m.corporation_id
      WHERE m.id = member AND f.id = found.id AND (m.is_for_all OR EXISTS (
        SELECT FROM staff_facilities sf WHERE sf.staff_id = m.id AND sf.facility_id = f.id)))
  ) THEN
    RAISE EXCEPTION 'a facility is no longer in reach' USING ERRCODE = 'GH404';
  END IF;
END $$;
REVOKE EXECUTE ON FUNCTION recheck_staff FROM PUBLIC;
GRANT EXECUTE ON FUNCTION recheck_staff TO gatehouse_app, gatehouse_work;
