-- Every mail there is: queued here in the transaction that makes it necessary, sent by the job of the same transaction (D7).
CREATE TABLE mails (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  position bigint GENERATED ALWAYS AS IDENTITY UNIQUE,
  to_address text NOT NULL,
  subject text NOT NULL CHECK (subject !~ '[[:cntrl:]]'),
  text_body text NOT NULL,
  html_body text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  sent_at timestamptz
);
CREATE INDEX ON mails (lower(to_address), position);

GRANT SELECT, INSERT ON mails TO gatehouse_app;
GRANT UPDATE (sent_at) ON mails TO gatehouse_app;
