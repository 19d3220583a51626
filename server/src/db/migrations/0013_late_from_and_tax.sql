-- From when on a rental counts as late, and a change of its tax that is to come.

ALTER TABLE ledgers
  ADD COLUMN late_from date,
  ADD COLUMN scheduled_tax boolean,
  ADD COLUMN scheduled_tax_on date,
  ADD CONSTRAINT whole_scheduled_tax CHECK ((scheduled_tax IS NULL) = (scheduled_tax_on IS NULL));
COMMENT ON COLUMN ledgers.late_from IS
  'no late fee, suspension for what is owed, reminder or notice of a rent before this day, as the '
  'import that brought the rental said; null: at once';
COMMENT ON COLUMN ledgers.scheduled_tax IS
  'what is_taxed is for bills that are due on scheduled_tax_on or later; the first of them writes '
  'it there';
GRANT UPDATE (is_taxed, scheduled_tax, scheduled_tax_on) ON ledgers TO gatehouse_work;
