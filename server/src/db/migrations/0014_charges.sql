-- The premium and the card fee of a period are billed with its rent and have its last day, so that a
-- move-out knows what of them is for days that were not rented; what staff charge has none.
ALTER TABLE charges DROP CONSTRAINT charges_check1,
  ADD CONSTRAINT rent_has_a_period CHECK (category <> 'rent' OR period_end IS NOT NULL);
COMMENT ON COLUMN charges.due_on IS
  'the due date; of what is billed by the period also the first day that it covers';
COMMENT ON COLUMN charges.period_end IS
  'the last day that it covers; null for what is not billed by the period';
-- What was billed before: in one posting with its period.
UPDATE charges c SET period_end = b.period_end
FROM entries e, billed_periods b
WHERE e.id = c.entry_id AND b.ledger_id = c.ledger_id AND b.due_on = c.due_on
  AND e.created_at = b.posted_at AND c.late_for IS NULL
  AND (c.category = 'insurance' AND c.description LIKE 'Protection plan %'
    OR c.category = 'fee' AND c.description = 'Card fee');
