ALTER TABLE staff_sessions ADD COLUMN ip text CHECK (ip ~ '^[0-9a-fA-F:.]{2,45}$');
COMMENT ON COLUMN staff_sessions.ip IS
  'the address that signed in, for the member''s list; null where it is not known';
