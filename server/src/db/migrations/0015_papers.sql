-- A monthly statement of a tenant record: drawn anew from the entries whenever it is asked for.
CREATE SEQUENCE statement_numbers START 500001;
CREATE TABLE statements (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  number text NOT NULL UNIQUE DEFAULT 'S-' || nextval('statement_numbers'),
  tenant_id uuid NOT NULL REFERENCES tenants,
  month text NOT NULL CHECK (month ~ '^\d{4}-\d{2}$'),
  created_at timestamptz NOT NULL,
  UNIQUE (tenant_id, month)
);
GRANT SELECT, INSERT ON statements TO gatehouse_app;
GRANT USAGE ON SEQUENCE statement_numbers TO gatehouse_app;

-- A paper that goes with a mail, drawn when it is sent.
ALTER TABLE mails ADD COLUMN paper_kind text CHECK (paper_kind IN ('receipt', 'statement')), ADD COLUMN paper_id uuid,
  ADD CHECK ((paper_kind IS NULL) = (paper_id IS NULL));
COMMENT ON COLUMN mails.paper_id IS 'the payment''s entry of a receipt, or the statement';
