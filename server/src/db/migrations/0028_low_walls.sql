-- A payment by a link counts its decline to the link, which a payment in the portal looks at too.
ALTER TABLE pay_link_payments FORCE ROW LEVEL SECURITY;
CREATE POLICY own ON pay_link_payments FOR SELECT TO gatehouse_app
  USING (EXISTS (SELECT FROM payment_intents i WHERE i.id = intent_id));
GRANT SELECT (intent_id, pay_link_id) ON pay_link_payments TO gatehouse_app;

-- Whose note it is: a name may be anybody's, and a clerk removes no manager's note.
ALTER TABLE tenant_notes
  ADD COLUMN staff_id uuid REFERENCES staff_members,
  ADD COLUMN by_role text CHECK (by_role IN ('clerk', 'manager', 'owner')),
  ADD CHECK ((staff_id IS NULL) = (by_role IS NULL));
COMMENT ON COLUMN tenant_notes.by_role IS
  'the member''s role then; null with the member for notes from before these columns';

-- From where a member of staff acted is kept as long as in the audit trail; what was done is for good.
CREATE INDEX staff_actions_with_origin
  ON staff_actions (at) WHERE ip IS NOT NULL OR device IS NOT NULL;
CREATE FUNCTION forget_old_staff_origins(most integer) RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  count integer;
BEGIN
  UPDATE staff_actions SET ip = NULL, device = NULL WHERE key IN (
    SELECT key FROM staff_actions
    WHERE at < now() - interval '2 years' AND (ip IS NOT NULL OR device IS NOT NULL)
    ORDER BY at LIMIT most FOR UPDATE SKIP LOCKED);
  GET DIAGNOSTICS count = ROW_COUNT;
  RETURN count;
END
$$;
REVOKE EXECUTE ON FUNCTION forget_old_staff_origins FROM PUBLIC;
GRANT EXECUTE ON FUNCTION forget_old_staff_origins TO gatehouse_work;
