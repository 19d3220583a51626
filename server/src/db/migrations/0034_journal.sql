-- The accountant's journal: it is derived from the entries. A write-off is a waiver of what will not
-- be paid, which the journal has as bad debt; a closed month takes no later posting.

ALTER TABLE credits ADD COLUMN is_write_off boolean NOT NULL DEFAULT false,
  ADD CONSTRAINT write_off_of_a_charge CHECK (NOT is_write_off OR charge_entry_id IS NOT NULL);
COMMENT ON COLUMN credits.is_write_off IS
  'a waiver of what the tenant will not pay: bad debt, whose tax stays due';

-- The names and numbers of the operator's own accounts; one that is not here has its usual ones.
CREATE TABLE journal_accounts (
  corporation_id uuid NOT NULL REFERENCES corporations,
  account text NOT NULL,
  number text NOT NULL CHECK (length(number) BETWEEN 1 AND 20),
  name text NOT NULL CHECK (length(name) BETWEEN 1 AND 100),
  PRIMARY KEY (corporation_id, account)
);
COMMENT ON COLUMN journal_accounts.account IS 'as contract/src/office/journal.ts names it';
GRANT SELECT ON journal_accounts TO gatehouse_office;
GRANT SELECT, INSERT, UPDATE (number, name) ON journal_accounts TO gatehouse_work;

-- The months of a facility that are closed, with all before them. What is posted later counts in
-- the journal from the first day that is not closed.
CREATE TABLE closed_months (
  facility_id uuid NOT NULL REFERENCES facilities,
  last_day date NOT NULL,
  entries_through bigint NOT NULL,
  allocations_through bigint NOT NULL,
  by_name text NOT NULL CHECK (length(by_name) BETWEEN 1 AND 100),
  why text NOT NULL CHECK (length(why) BETWEEN 1 AND 500),
  closed_at timestamptz NOT NULL,
  PRIMARY KEY (facility_id, last_day),
  CHECK (extract(day FROM last_day + 1) = 1)
);
COMMENT ON COLUMN closed_months.entries_through IS
  'the position of the last entry of its ledgers then';
COMMENT ON COLUMN closed_months.allocations_through IS
  'the id of an allocation: those of its ledgers until then are at or before it';
ALTER TABLE closed_months ENABLE ROW LEVEL SECURITY;
CREATE POLICY work ON closed_months TO gatehouse_work USING (true);
CREATE POLICY office ON closed_months FOR SELECT TO gatehouse_office
  USING ((SELECT office_is_all()) OR facility_id = ANY ((SELECT office_facilities())::uuid[]));
GRANT SELECT, INSERT ON closed_months TO gatehouse_work;
GRANT SELECT ON closed_months TO gatehouse_office;
CREATE TRIGGER never_changed BEFORE UPDATE OR DELETE ON closed_months FOR EACH ROW
  EXECUTE FUNCTION refuse_drawer_change();

-- A month of the journal; rows of one time are next to each other.
CREATE INDEX entries_by_position ON entries USING brin (position) WITH (pages_per_range = 32);
CREATE INDEX allocations_by_day ON allocations USING brin (made_on) WITH (pages_per_range = 32);
CREATE INDEX charges_by_due_day ON charges USING brin (due_on) WITH (pages_per_range = 32);
