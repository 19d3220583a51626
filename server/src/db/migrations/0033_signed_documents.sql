-- Documents that are signed here (ESIGN=local): the forms of a facility, what is made of them for a
-- rental, who signs it, and its trail.

CREATE TABLE document_forms (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  facility_id uuid NOT NULL REFERENCES facilities,
  name text NOT NULL,
  body text NOT NULL,
  is_at_move_in boolean NOT NULL,
  second_name text,
  second_email text,
  created_at timestamptz NOT NULL,
  by_name text NOT NULL,
  retired_at timestamptz,
  retired_by text,
  CHECK ((second_name IS NULL) = (second_email IS NULL)),
  CHECK ((retired_at IS NULL) = (retired_by IS NULL))
);
COMMENT ON TABLE document_forms IS
  'texts with named fields and places to sign; a form is never changed, but retired';
COMMENT ON COLUMN document_forms.is_at_move_in IS 'whether each move-in makes a document of it';
COMMENT ON COLUMN document_forms.second_name IS
  'who signs after the tenant where nobody else is named; null for nobody';
CREATE UNIQUE INDEX document_forms_in_use
  ON document_forms (facility_id, lower(name)) WHERE retired_at IS NULL;
ALTER TABLE document_forms ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY work ON document_forms TO gatehouse_work USING (true);
CREATE POLICY office ON document_forms FOR SELECT TO gatehouse_office
  USING ((SELECT office_is_all()) OR facility_id = ANY ((SELECT office_facilities())::uuid[]));
GRANT SELECT, INSERT, UPDATE (retired_at, retired_by) ON document_forms TO gatehouse_work;
GRANT SELECT ON document_forms TO gatehouse_office;

ALTER TABLE esign_documents
  ADD COLUMN form_id uuid REFERENCES document_forms,
  ADD COLUMN body text,
  ADD COLUMN made_at timestamptz,
  ADD COLUMN ends_at timestamptz,
  ADD COLUMN voided_at timestamptz,
  ADD COLUMN file_key uuid UNIQUE,
  ADD COLUMN file_hash bytea,
  ADD COLUMN bytes integer,
  ADD CHECK ((form_id IS NULL) = (body IS NULL) AND (form_id IS NULL) = (made_at IS NULL)
    AND (form_id IS NULL) = (ends_at IS NULL)),
  ADD CHECK ((file_key IS NULL) = (file_hash IS NULL) AND (file_key IS NULL) = (bytes IS NULL)),
  -- Only what is signed has a signed copy.
  ADD CHECK (file_key IS NULL OR envelope_status_id = 2);
COMMENT ON COLUMN esign_documents.form_id IS
  'of what is signed here; null of what staff keep track of only, as the next columns are';
COMMENT ON COLUMN esign_documents.body IS
  'the document as its signers read it, as JSON; its SHA-256 is on the signed copy';
COMMENT ON COLUMN esign_documents.ends_at IS 'until when it can be signed';
COMMENT ON COLUMN esign_documents.voided_at IS 'withdrawn by staff: no tenant sees it any more';
COMMENT ON COLUMN esign_documents.file_hash IS 'SHA-256 of the signed copy, which is a PDF';
CREATE INDEX ON esign_documents (form_id) WHERE form_id IS NOT NULL;
CREATE POLICY office ON esign_documents FOR SELECT TO gatehouse_office
  USING ((SELECT office_is_all())
    OR EXISTS (SELECT FROM office_ledgers reach WHERE reach.id = ledger_id));
GRANT SELECT ON esign_documents, envelope_statuses TO gatehouse_office;
GRANT INSERT, UPDATE (envelope_status_id, ends_at, voided_at, file_key, file_hash, bytes)
  ON esign_documents TO gatehouse_work;

-- The tenant signs first, and then whoever else does.
CREATE TABLE document_signers (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  document_id uuid NOT NULL REFERENCES esign_documents,
  position smallint NOT NULL CHECK (position IN (1, 2)),
  name text NOT NULL,
  email text NOT NULL,
  linked_at timestamptz,
  consented_at timestamptz,
  consent text,
  signed_at timestamptz,
  signed_name text,
  strokes jsonb,
  declined_at timestamptz,
  decline_reason text,
  UNIQUE (document_id, position),
  CHECK ((consented_at IS NULL) = (consent IS NULL)),
  CHECK ((signed_at IS NULL) = (signed_name IS NULL)),
  CHECK (signed_at IS NULL OR consented_at IS NOT NULL),
  CHECK (signed_at IS NULL OR declined_at IS NULL),
  CHECK (strokes IS NULL OR signed_at IS NOT NULL),
  CHECK ((declined_at IS NULL) = (decline_reason IS NULL))
);
COMMENT ON TABLE document_signers IS 'who signs a document, in the order of their places';
COMMENT ON COLUMN document_signers.linked_at IS
  'when the link that works was made; null until it is this signer''s turn';
COMMENT ON COLUMN document_signers.consent IS
  'the words that were agreed to before signing electronically, 15 U.S.C. 7001(c)';
COMMENT ON COLUMN document_signers.strokes IS 'of a drawn signature; null of a typed one';
ALTER TABLE document_signers ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY own ON document_signers FOR SELECT TO gatehouse_app
  USING (EXISTS (SELECT FROM esign_documents d WHERE d.id = document_id));
CREATE POLICY work ON document_signers TO gatehouse_work USING (true);
CREATE POLICY office ON document_signers FOR SELECT TO gatehouse_office
  USING (EXISTS (SELECT FROM esign_documents d WHERE d.id = document_id));
GRANT SELECT (id, document_id, position, linked_at, signed_at) ON document_signers
  TO gatehouse_app;
GRANT SELECT, INSERT, UPDATE (email, linked_at, consented_at, consent, signed_at, signed_name,
  strokes, declined_at, decline_reason) ON document_signers TO gatehouse_work;
GRANT SELECT (id, document_id, position, name, email, signed_at, declined_at, decline_reason)
  ON document_signers TO gatehouse_office;

-- What happened to a document, for its last page: written and read, never changed.
CREATE TABLE document_events (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  document_id uuid NOT NULL REFERENCES esign_documents,
  at timestamptz NOT NULL,
  kind text NOT NULL CHECK (kind IN
    ('made', 'mailed', 'resent', 'consented', 'signed', 'declined', 'completed', 'voided')),
  who text NOT NULL,
  via text CHECK (via IN ('link', 'portal')),
  ip text,
  device text
);
COMMENT ON TABLE document_events IS 'the trail of a document that is signed here';
COMMENT ON COLUMN document_events.who IS 'the name of the signer or of the member of staff';
COMMENT ON COLUMN document_events.via IS
  'how a signer came: by the link in a mail, or signed in to the portal';
CREATE INDEX ON document_events (document_id);
ALTER TABLE document_events ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY work ON document_events TO gatehouse_work USING (true);
GRANT SELECT, INSERT ON document_events TO gatehouse_work;

CREATE OR REPLACE VIEW kept_files WITH (security_invoker = true) AS
  SELECT file_key, bytes FROM images UNION ALL SELECT file_key, bytes FROM vehicle_papers
  UNION ALL SELECT file_key, bytes FROM esign_documents WHERE file_key IS NOT NULL;

ALTER TABLE mails DROP CONSTRAINT mails_paper_kind_check,
  ADD CONSTRAINT mails_paper_kind_check CHECK (paper_kind IN ('receipt', 'statement', 'document'));
