-- In which language an account reads mails, text messages and papers. Null until its first sign-in; an account that a server
-- of the version before makes has none either.
ALTER TABLE users ADD COLUMN language text CHECK (language IN ('en', 'es'));
COMMENT ON COLUMN users.language IS 'of the account''s mails, text messages and papers; null where none was chosen yet';
GRANT SELECT (language), UPDATE (language) ON users TO gatehouse_app;

-- In which a mail was written, for the papers that are drawn when it is sent. The rows that are there are not read for it.
ALTER TABLE mails ADD COLUMN language text,
  ADD CONSTRAINT mails_language_check CHECK (language IN ('en', 'es')) NOT VALID;
COMMENT ON COLUMN mails.language IS 'in which it was written; null, for English, from the version before';
