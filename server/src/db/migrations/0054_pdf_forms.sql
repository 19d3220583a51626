-- A form may be an operator's PDF with named places; a document of it is kept as it was read.

ALTER TABLE document_forms
  ADD COLUMN pages integer,
  ADD COLUMN pdf bytea,
  ADD CHECK ((pages IS NULL) = (pdf IS NULL));
COMMENT ON COLUMN document_forms.pages IS 'of a PDF; null of a text';
COMMENT ON COLUMN document_forms.pdf IS
  'what its pages print, without fields or anything that acts; body is where what is filled in, as JSON';

ALTER TABLE esign_documents
  ADD COLUMN pdf_key uuid UNIQUE,
  ADD COLUMN pdf_hash bytea,
  ADD COLUMN pdf_bytes integer,
  ADD CHECK ((pdf_key IS NULL) = (pdf_hash IS NULL) AND (pdf_key IS NULL) = (pdf_bytes IS NULL)),
  ADD CHECK (pdf_key IS NULL OR form_id IS NOT NULL);
COMMENT ON COLUMN esign_documents.pdf_key IS
  'the file of a PDF as its signers read it, from the first consent on';
GRANT UPDATE (pdf_key, pdf_hash, pdf_bytes) ON esign_documents TO gatehouse_work;

CREATE OR REPLACE VIEW kept_files WITH (security_invoker = true) AS
  SELECT file_key, bytes FROM images UNION ALL SELECT file_key, bytes FROM vehicle_papers
  UNION ALL SELECT file_key, bytes FROM esign_documents WHERE file_key IS NOT NULL
  UNION ALL SELECT pdf_key, pdf_bytes FROM esign_documents WHERE pdf_key IS NOT NULL;
