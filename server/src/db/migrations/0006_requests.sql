-- Messages of tenants to staff, with their photos.

-- The photos; their bytes are with the files adapter, re-encoded, under the key.
CREATE TABLE images (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  tenant_id uuid NOT NULL REFERENCES tenants,
  file_name text,
  content_type text NOT NULL CHECK (content_type IN ('image/jpeg', 'image/webp')),
  bytes integer NOT NULL CHECK (bytes > 0),
  width integer NOT NULL CHECK (width > 0),
  height integer NOT NULL CHECK (height > 0),
  file_key uuid NOT NULL UNIQUE,
  created_at timestamptz NOT NULL DEFAULT now()
);
COMMENT ON COLUMN images.file_name IS
  'the name on the tenant''s device, as it was sent: a text, never a path';
CREATE INDEX ON images (tenant_id, created_at);
CREATE INDEX ON images (created_at);
ALTER TABLE images ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY own ON images TO gatehouse_app
  USING (tenant_id = ANY ((SELECT own_tenants())::uuid[]));
CREATE POLICY work ON images TO gatehouse_work USING (true);
CREATE POLICY office ON images FOR SELECT TO gatehouse_office USING ((SELECT office_is_all())
  OR EXISTS (SELECT FROM office_tenants reach WHERE reach.id = tenant_id));
GRANT SELECT, INSERT ON images TO gatehouse_app;
GRANT SELECT ON images TO gatehouse_office;

-- Every file in the store that has a row: what a backup takes with it, and what no sweep removes.
CREATE VIEW kept_files WITH (security_invoker = true) AS
  SELECT file_key, bytes FROM images UNION ALL SELECT file_key, bytes FROM vehicle_papers;
GRANT SELECT ON kept_files TO gatehouse_work;

CREATE SEQUENCE request_numbers START 100001;
GRANT USAGE ON SEQUENCE request_numbers TO gatehouse_app;

-- What a tenant asked of staff stays as it was asked; its status is what becomes of it. A notice
-- asks for nothing and is done from the beginning. A photo's row is checked at the end of the
-- transaction, because a request is filed before it: a repeated one must not add another.
CREATE TABLE requests (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  reference text NOT NULL UNIQUE DEFAULT 'R-' || nextval('request_numbers'),
  facility_id uuid NOT NULL REFERENCES facilities,
  tenant_id uuid NOT NULL REFERENCES tenants,
  ledger_id uuid REFERENCES ledgers,
  user_id uuid REFERENCES users,
  kind text NOT NULL CHECK (kind IN ('maintenance_request_form', 'insurance_request',
    'request_gate_access_form', 'resend_esign_documents_form', 'request_tenant_update',
    'autopayCreditCardToAch', 'notifyAchPayment', 'move_out')),
  details jsonb NOT NULL,
  image_id uuid REFERENCES images DEFERRABLE INITIALLY DEFERRED,
  idempotency_key text,
  request_hash bytea,
  created_at timestamptz NOT NULL DEFAULT now(),
  status text NOT NULL DEFAULT 'new' CHECK (status IN ('new', 'in_progress', 'done')),
  version integer NOT NULL DEFAULT 0,
  CHECK ((idempotency_key IS NULL) = (request_hash IS NULL))
);
COMMENT ON COLUMN requests.ledger_id IS 'null where the request is about the tenant record';
COMMENT ON COLUMN requests.user_id IS
  'the sign-in that asked; null where the server itself had a reason';
COMMENT ON COLUMN requests.details IS 'the tenant as the records said it then, and what was asked';
COMMENT ON COLUMN requests.version IS
  'how often staff did something about it; what was decided on an older one is refused';
CREATE UNIQUE INDEX requests_key ON requests (user_id, idempotency_key);
CREATE INDEX ON requests (facility_id, created_at);
CREATE INDEX ON requests (tenant_id, created_at);
CREATE INDEX ON requests (created_at);
CREATE INDEX ON requests (image_id) WHERE image_id IS NOT NULL;
CREATE INDEX requests_to_do ON requests (created_at) WHERE status <> 'done';
CREATE INDEX requests_by_facility ON requests (facility_id, created_at, id);
ALTER TABLE requests ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
-- A user's keys are the user's own at every facility, or a key would be taken by a row that is not
-- seen.
CREATE POLICY own ON requests TO gatehouse_app
  USING (tenant_id = ANY ((SELECT own_tenants())::uuid[]) OR user_id = (SELECT own_user()));
CREATE POLICY work ON requests TO gatehouse_work USING (true);
CREATE POLICY office ON requests FOR SELECT TO gatehouse_office
  USING ((SELECT office_is_all()) OR facility_id = ANY ((SELECT office_facilities())::uuid[]));
GRANT SELECT, INSERT, UPDATE (status, version) ON requests TO gatehouse_app;
GRANT UPDATE (status, version) ON requests TO gatehouse_work;
GRANT SELECT ON requests TO gatehouse_office;

-- What was done about a request, event by event, never changed. A tenant may answer what staff
-- replied, by the form's id once each; which member of staff replied is not a tenant's to read.
CREATE TABLE request_events (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  position bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  request_id uuid NOT NULL REFERENCES requests ON DELETE CASCADE,
  kind text NOT NULL
    CHECK (kind IN ('created', 'replied', 'answered', 'status_changed', 'objected')),
  status text NOT NULL CHECK (status IN ('new', 'in_progress', 'done')),
  text text CHECK (length(text) BETWEEN 1 AND 2000),
  via text NOT NULL CHECK (via IN ('portal', 'server', 'link', 'cli', 'office')),
  author text CHECK (length(author) BETWEEN 1 AND 254),
  form_id uuid,
  created_at timestamptz NOT NULL,
  CONSTRAINT staff_have_names CHECK ((via IN ('link', 'cli', 'office')) = (author IS NOT NULL)),
  CONSTRAINT texts_are_written CHECK ((kind IN ('replied', 'answered')) = (text IS NOT NULL))
);
COMMENT ON COLUMN request_events.status IS 'the status of the request after it';
COMMENT ON COLUMN request_events.author IS
  'the member of staff, by the name in the office or on the command line; for a link, whose it was';
COMMENT ON COLUMN request_events.form_id IS 'the form that was sent: it counts once';
CREATE UNIQUE INDEX request_events_form ON request_events (request_id, form_id, kind);
CREATE INDEX ON request_events (request_id, position);
CREATE UNIQUE INDEX ON request_events (position);
CREATE INDEX ON request_events (created_at);
ALTER TABLE request_events ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY own ON request_events TO gatehouse_app
  USING (EXISTS (SELECT FROM requests r WHERE r.id = request_id));
CREATE POLICY work ON request_events TO gatehouse_work USING (true);
CREATE POLICY office ON request_events FOR SELECT TO gatehouse_office
  USING ((SELECT office_is_all()) OR EXISTS (SELECT FROM requests r WHERE r.id = request_id));
GRANT INSERT, SELECT (id, position, request_id, kind, status, text, form_id, created_at)
  ON request_events TO gatehouse_app;
GRANT SELECT ON request_events TO gatehouse_work, gatehouse_office;

-- The delivery of an event to the operator's webhook; the job of the event delivers it.
CREATE TABLE webhook_deliveries (
  event_id uuid PRIMARY KEY REFERENCES request_events ON DELETE CASCADE,
  begun_at timestamptz NOT NULL,
  tries integer NOT NULL DEFAULT 0,
  fault text,
  delivered_at timestamptz,
  dead_at timestamptz,
  CHECK (delivered_at IS NULL OR dead_at IS NULL)
);
COMMENT ON COLUMN webhook_deliveries.begun_at IS
  'when it was tried first, or was to be delivered again; a day later it is given up';
CREATE INDEX ON webhook_deliveries (delivered_at) WHERE delivered_at IS NOT NULL;
CREATE INDEX ON webhook_deliveries (dead_at) WHERE dead_at IS NOT NULL;
GRANT SELECT, INSERT, UPDATE, DELETE ON webhook_deliveries TO gatehouse_work;

-- The addresses that are mailed messages to staff, by kind; where a kind has none, the facility's
-- own.
CREATE TABLE facility_recipients (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  facility_id uuid NOT NULL REFERENCES facilities,
  kind text CHECK (kind IN ('maintenance_request_form', 'insurance_request',
    'request_gate_access_form', 'resend_esign_documents_form', 'request_tenant_update',
    'autopayCreditCardToAch', 'notifyAchPayment', 'move_out')),
  address text NOT NULL CHECK (length(address) BETWEEN 3 AND 254)
);
COMMENT ON COLUMN facility_recipients.kind IS 'null for every kind';
CREATE UNIQUE INDEX ON facility_recipients (facility_id, coalesce(kind, ''), lower(address));
ALTER TABLE facility_recipients ENABLE ROW LEVEL SECURITY;
CREATE POLICY others ON facility_recipients TO gatehouse_app, gatehouse_work USING (true);
CREATE POLICY office ON facility_recipients FOR SELECT TO gatehouse_office
  USING ((SELECT office_is_all()) OR facility_id = ANY ((SELECT office_facilities())::uuid[]));
GRANT SELECT ON facility_recipients TO gatehouse_app, gatehouse_office;
GRANT INSERT, DELETE ON facility_recipients TO gatehouse_work;
