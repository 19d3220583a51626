-- What is known of a photo; its bytes lie with the files adapter, re-encoded, under the key (D29).
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
CREATE INDEX ON images (tenant_id, created_at);
COMMENT ON COLUMN images.file_name IS 'the name on the tenant''s device, as it was sent: a text, never a path';

-- Checked at the end, because a request is filed before its photo's row: a repeated one must not add another.
ALTER TABLE requests ADD FOREIGN KEY (image_id) REFERENCES images DEFERRABLE INITIALLY DEFERRED;

GRANT SELECT, INSERT ON images TO gatehouse_app;
