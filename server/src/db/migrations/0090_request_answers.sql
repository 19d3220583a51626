-- A tenant may answer what staff replied to a request: an event with a text, like a reply. A request that was done is in
-- progress again.
ALTER TABLE request_events DROP CONSTRAINT request_events_kind_check, DROP CONSTRAINT request_events_check,
  ADD CONSTRAINT request_events_kind_check
    CHECK (kind IN ('created', 'replied', 'answered', 'status_changed', 'objected')),
  ADD CONSTRAINT texts_are_written CHECK ((kind IN ('replied', 'answered')) = (text IS NOT NULL));
-- By its form an answer counts once.
GRANT SELECT (form_id) ON request_events TO gatehouse_app;
GRANT UPDATE (status, version) ON requests TO gatehouse_app;
