-- What the columns of lease sheets hold, kept for the next sheet with the same headings. Only for
-- the owner, as external_ids.
CREATE TABLE import_maps (
  form_hash text PRIMARY KEY,
  columns jsonb NOT NULL,
  kept_at timestamptz NOT NULL
);
COMMENT ON TABLE import_maps IS
  'by the headings of a lease sheet, what an import took its columns for';
COMMENT ON COLUMN import_maps.form_hash IS 'SHA-256 of the headings, in hex';
COMMENT ON COLUMN import_maps.columns IS 'by heading the field that it holds; null for none';
