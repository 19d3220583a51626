-- Messages to staff: what was asked stays as it was asked. Append-only: the app role may insert and read, nothing else.
CREATE SEQUENCE request_numbers START 100001;

CREATE TABLE requests (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  reference text NOT NULL UNIQUE DEFAULT 'R-' || nextval('request_numbers'),
  facility_id uuid NOT NULL REFERENCES facilities,
  tenant_id uuid NOT NULL REFERENCES tenants,
  ledger_id uuid REFERENCES ledgers,
  user_id uuid REFERENCES users,
  kind text NOT NULL CHECK (kind IN ('maintenance_request_form', 'insurance_request', 'request_gate_access_form',
    'resend_esign_documents_form', 'request_tenant_update', 'autopayCreditCardToAch', 'notifyAchPayment', 'move_out')),
  details jsonb NOT NULL,
  image_id uuid,
  idempotency_key text,
  request_hash bytea,
  created_at timestamptz NOT NULL DEFAULT now(),
  CHECK ((idempotency_key IS NULL) = (request_hash IS NULL))
);
CREATE UNIQUE INDEX requests_key ON requests (user_id, idempotency_key);
CREATE INDEX ON requests (facility_id, created_at);
CREATE INDEX ON requests (tenant_id, created_at);
COMMENT ON COLUMN requests.ledger_id IS 'null where the request is about the tenant record';
COMMENT ON COLUMN requests.user_id IS 'the sign-in that asked; null where the server itself had a reason to tell';
COMMENT ON COLUMN requests.details IS 'who asked, as the records said it then, and what was asked';

GRANT SELECT, INSERT ON requests TO gatehouse_app;
GRANT USAGE ON SEQUENCE request_numbers TO gatehouse_app;
