-- A tenant may object, by a link in a mail, to a change of the email address that a session asked for.
ALTER TABLE request_events DROP CONSTRAINT request_events_kind_check;
ALTER TABLE request_events ADD CONSTRAINT request_events_kind_check
  CHECK (kind IN ('created', 'replied', 'status_changed', 'objected'));
