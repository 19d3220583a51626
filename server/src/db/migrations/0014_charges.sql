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

-- What was charged after the first attempt of an autopay item is no part of it: a later attempt
-- takes nothing of it.
ALTER TABLE autopay_items ADD COLUMN through_position bigint;
COMMENT ON COLUMN autopay_items.through_position IS
  'the ledger''s last entry at the first attempt; null before it';
COMMENT ON COLUMN autopay_items.amount_cents IS
  'what the last attempt was for: a later one takes no more, and a debit that is presented again as '
  'much';
UPDATE autopay_items i SET through_position = (
  SELECT max(e.position) FROM entries e WHERE e.ledger_id = i.ledger_id AND e.created_at <= (
    SELECT min(attempt.created_at) FROM payment_intents attempt
    WHERE attempt.autopay_item_id = i.id AND attempt.state <> 'never_sent'))
WHERE i.amount_cents IS NOT NULL;

-- What an act of the operator opens again is enforced from a day that the tenant is mailed: until
-- then it causes no late fee, closes no gate and is not charged by autopay.
ALTER TABLE reversals ADD COLUMN owed_on date;
COMMENT ON COLUMN reversals.owed_on IS
  'from when on what it opened again is enforced; null: at once, since it was no act of ours';
CREATE INDEX reversals_owed_on ON reversals (ledger_id, owed_on) WHERE owed_on IS NOT NULL;
