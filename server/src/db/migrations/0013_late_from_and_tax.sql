-- From when on a rental counts as late, and a change of its tax.

ALTER TABLE ledgers ADD COLUMN late_from date, ADD COLUMN tax_changes_on date;
COMMENT ON COLUMN ledgers.late_from IS
  'no late fee, suspension for what is owed, reminder or notice of a rent before this day, as the '
  'import that brought the rental said; null: at once';
COMMENT ON COLUMN ledgers.tax_changes_on IS
  'bills that are due from this day on have the tax that is_taxed is not; the first of them turns '
  'is_taxed and empties it';
GRANT UPDATE (is_taxed, tax_changes_on) ON ledgers TO gatehouse_work;
