-- The address that the operator's files said of a tenant when they were last taken over (docs/import.md), so that an old file
-- says nothing new. Of those imported before, the one on file is taken. Out of reach for those who serve, as external_ids.
CREATE TABLE imported_tenants (
  tenant_id uuid PRIMARY KEY REFERENCES tenants,
  email text NOT NULL
);
INSERT INTO imported_tenants
  SELECT t.id, t.email FROM external_ids x JOIN tenants t ON t.id = x.row_id WHERE x.kind = 'tenant';

-- The same of the day of a move-out. One that staff did not enter came with a file.
ALTER TABLE imported_ledgers ADD COLUMN moved_out_on date;
UPDATE imported_ledgers said SET moved_out_on = l.moved_out_on FROM ledgers l
  WHERE l.id = said.ledger_id AND NOT EXISTS (SELECT FROM move_outs m WHERE m.ledger_id = l.id);
