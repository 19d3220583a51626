-- What a statement is drawn from is fixed when it is issued: entries that are recorded later, whatever their day, are in
-- the next statement. All three are null for a statement of an older version, which goes by the entries' created_at.
ALTER TABLE statements
  ADD COLUMN entries_through bigint,
  ADD COLUMN ledger_ids uuid[],
  ADD COLUMN follows uuid REFERENCES statements,
  ADD CONSTRAINT issued_whole CHECK ((entries_through IS NULL) = (ledger_ids IS NULL));
COMMENT ON COLUMN statements.entries_through IS 'the position of the last entry of its ledgers that was recorded when it was issued';
COMMENT ON COLUMN statements.ledger_ids IS 'the tenant''s ledgers at that time';
COMMENT ON COLUMN statements.follows IS 'the statement before: what is not in that one is in this one';
