-- What becomes of a message to staff: where it stands, and what was done about it, event by event, never changed. A notice
-- asks for nothing and is done from the beginning.
ALTER TABLE requests
  ADD COLUMN status text NOT NULL DEFAULT 'new' CHECK (status IN ('new', 'in_progress', 'done')),
  ADD COLUMN version integer NOT NULL DEFAULT 0;
UPDATE requests SET status = 'done' WHERE kind IN ('autopayCreditCardToAch', 'notifyAchPayment');
COMMENT ON COLUMN requests.version IS 'how often staff did something about it; what was decided on an older one is refused';
CREATE INDEX requests_to_do ON requests (created_at) WHERE status <> 'done';
GRANT UPDATE (status, version) ON requests TO gatehouse_work;

CREATE TABLE request_events (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  position bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  request_id uuid NOT NULL REFERENCES requests ON DELETE CASCADE,
  kind text NOT NULL CHECK (kind IN ('created', 'replied', 'status_changed')),
  status text NOT NULL CHECK (status IN ('new', 'in_progress', 'done')),
  text text CHECK (length(text) BETWEEN 1 AND 2000),
  via text NOT NULL CHECK (via IN ('portal', 'server', 'link', 'cli')),
  author text CHECK (length(author) BETWEEN 1 AND 254),
  form_id uuid,
  created_at timestamptz NOT NULL,
  CHECK ((kind = 'replied') = (text IS NOT NULL)),
  CHECK ((via IN ('link', 'cli')) = (author IS NOT NULL))
);
COMMENT ON COLUMN request_events.status IS 'where the request stands after it';
COMMENT ON COLUMN request_events.author IS 'who of staff: the address whose link it was, or the name that the command line was given';
COMMENT ON COLUMN request_events.form_id IS 'the form that was sent: it counts once';
CREATE UNIQUE INDEX request_events_form ON request_events (request_id, form_id, kind);
CREATE INDEX ON request_events (request_id, position);
CREATE UNIQUE INDEX ON request_events (position);
CREATE INDEX ON request_events (created_at);
-- It goes with its request, which has a wall of its own. Who of staff it was is not a tenant's to read.
ALTER TABLE request_events ENABLE ROW LEVEL SECURITY;
ALTER TABLE request_events FORCE ROW LEVEL SECURITY;
CREATE POLICY own ON request_events TO gatehouse_app USING (EXISTS (SELECT FROM requests r WHERE r.id = request_id));
CREATE POLICY work ON request_events TO gatehouse_work USING (true);
GRANT INSERT, SELECT (id, position, request_id, kind, status, text, created_at) ON request_events TO gatehouse_app;
GRANT SELECT ON request_events TO gatehouse_work;

-- What came of telling the operator's webhook of an event; the job of the event is what tells it.
CREATE TABLE webhook_deliveries (
  event_id uuid PRIMARY KEY REFERENCES request_events ON DELETE CASCADE,
  begun_at timestamptz NOT NULL,
  tries integer NOT NULL DEFAULT 0,
  fault text,
  delivered_at timestamptz,
  dead_at timestamptz,
  CHECK (delivered_at IS NULL OR dead_at IS NULL)
);
COMMENT ON COLUMN webhook_deliveries.begun_at IS 'when it was tried first, or was to be told again; a day later it is given up';
CREATE INDEX ON webhook_deliveries (delivered_at) WHERE delivered_at IS NOT NULL;
CREATE INDEX ON webhook_deliveries (dead_at) WHERE dead_at IS NOT NULL;
GRANT SELECT, INSERT, UPDATE, DELETE ON webhook_deliveries TO gatehouse_work;

-- Who is mailed which messages to staff; where there is nobody for a kind, the facility's own address is.
CREATE TABLE facility_recipients (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  facility_id uuid NOT NULL REFERENCES facilities,
  kind text CHECK (kind IN ('maintenance_request_form', 'insurance_request', 'request_gate_access_form',
    'resend_esign_documents_form', 'request_tenant_update', 'autopayCreditCardToAch', 'notifyAchPayment', 'move_out')),
  address text NOT NULL CHECK (length(address) BETWEEN 3 AND 254)
);
COMMENT ON COLUMN facility_recipients.kind IS 'null for every kind';
CREATE UNIQUE INDEX ON facility_recipients (facility_id, coalesce(kind, ''), lower(address));
GRANT SELECT ON facility_recipients TO gatehouse_app;
GRANT INSERT, DELETE ON facility_recipients TO gatehouse_work;
