-- Staff issue a statement of any days, not only the facility's day one of a month: it follows none,
-- as it is no part of the chain of months.
ALTER TABLE statements
  ALTER COLUMN month DROP NOT NULL,
  ADD COLUMN first_on date,
  ADD COLUMN last_on date,
  ADD CONSTRAINT statements_of_month_or_days CHECK (
    (month IS NULL) = (first_on IS NOT NULL) AND (month IS NULL) = (last_on IS NOT NULL)
    AND first_on <= last_on AND (month IS NOT NULL OR follows IS NULL));
COMMENT ON COLUMN statements.month IS 'as 2026-10; null for one of days that staff named';
COMMENT ON COLUMN statements.first_on IS 'the first day of one that staff named the days of';
COMMENT ON COLUMN statements.last_on IS 'its last day';
