-- A ledger whose books are not sound has an open alarm, and autopay does not charge it until a person closes that.
ALTER TABLE alarms ADD COLUMN ledger_id uuid REFERENCES ledgers;
COMMENT ON COLUMN alarms.ledger_id IS 'the ledger that it is about, where it is one';
CREATE INDEX alarms_books_fault ON alarms (ledger_id) WHERE kind = 'books_fault' AND closed_at IS NULL;

-- As the owner, because a tenant's request may not read alarms: it learns of a ledger's fault only that there is one.
CREATE FUNCTION has_books_fault(ledger uuid) RETURNS boolean STABLE SECURITY DEFINER LANGUAGE sql
  SET search_path = public, pg_temp
  RETURN EXISTS (SELECT FROM alarms WHERE ledger_id = ledger AND kind = 'books_fault' AND closed_at IS NULL);
REVOKE ALL ON FUNCTION has_books_fault(uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION has_books_fault(uuid) TO gatehouse_app, gatehouse_work;
