-- An account's language is that of its first sign-in until its tenant says which one to keep.
ALTER TABLE users ADD COLUMN language_chosen boolean NOT NULL DEFAULT false;
COMMENT ON COLUMN users.language_chosen IS
  'whether the tenant chose it: then no sign-in page asks whether to keep another';
GRANT SELECT (language_chosen), UPDATE (language_chosen) ON users TO gatehouse_app;
