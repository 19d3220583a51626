-- First and last name are compared each: Ann Alee and Anna Lee are two people.
CREATE OR REPLACE FUNCTION strangers_at_address(of_tenant uuid) RETURNS SETOF uuid STABLE LANGUAGE sql
BEGIN ATOMIC
  SELECT other.id
  FROM tenants t
  JOIN facilities f ON f.id = t.facility_id
  JOIN tenants other ON lower(other.email) = lower(t.email) AND other.id <> t.id
  JOIN facilities there
    ON there.id = other.facility_id AND there.corporation_id = f.corporation_id
  -- Names of signs only are nobody's.
  WHERE t.id = of_tenant AND (other.first_key || ' ' || other.last_key)
    IS DISTINCT FROM nullif(t.first_key || ' ' || t.last_key, ' ');
END;

-- Who removed a note: a clerk does not restore what a manager removed.
ALTER TABLE tenant_notes ADD COLUMN removed_by uuid REFERENCES staff_members;
COMMENT ON COLUMN tenant_notes.removed_by IS
  'the member who removed it; null where it is not, or was from before this column';
GRANT UPDATE (removed_by) ON tenant_notes TO gatehouse_work;
