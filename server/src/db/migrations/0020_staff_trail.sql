-- Who of staff acted, from where and by what device: in columns of their own, beside the name, which
-- anybody may have.

ALTER TABLE audit_events
  ADD COLUMN staff_id uuid,
  ADD COLUMN device text CHECK (device ~ '^[\x20-\x7e]+$' AND length(device) <= 300),
  DROP CONSTRAINT audit_events_details_check,
  ADD CONSTRAINT audit_events_details_check CHECK (length(details::text) <= 4000);
COMMENT ON COLUMN audit_events.staff_id IS
  'the member of staff who acted; null for tenants, the server and the command line';
COMMENT ON COLUMN audit_events.device IS 'the User-Agent of the call: a claim, as the address is';
CREATE INDEX audit_events_of_member ON audit_events (staff_id, id) WHERE staff_id IS NOT NULL;
GRANT INSERT (staff_id, device) ON audit_events TO gatehouse_app;

ALTER TABLE staff_actions
  ADD COLUMN staff_id uuid REFERENCES staff_members,
  ADD COLUMN ip text CHECK (ip ~ '^[0-9a-fA-F:.]{2,45}$'),
  ADD COLUMN device text CHECK (device ~ '^[\x20-\x7e]+$' AND length(device) <= 300);
COMMENT ON COLUMN staff_actions.staff_id IS
  'null on the command line, and before this column was there';

-- Member and device are parts only where they are known, so that events of before keep their hash.
-- No part can be taken for another one: a uuid, hexadecimal digits, and a JSON text or '-' at last.
CREATE OR REPLACE FUNCTION audit_content(e audit_events) RETURNS text LANGUAGE sql STABLE
  SET search_path = pg_catalog AS $$
  SELECT concat_ws('|', e.position, e.id, extract(epoch FROM e.at), e.kind,
    coalesce(e.user_id::text, '-'), coalesce(e.tenant_id::text, '-'),
    coalesce(e.facility_id::text, '-'), coalesce(e.ledger_id::text, '-'),
    coalesce(encode(e.account, 'hex'), '-'), coalesce(e.ip, '-'),
    coalesce(e.request_id::text, '-'), e.staff_id::text,
    encode(convert_to(e.device, 'UTF8'), 'hex'), coalesce(e.details::text, '-'))
$$;
