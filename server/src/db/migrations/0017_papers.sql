-- Where a moved credit came from and when a charge was settled, so that the paper of a year follows
-- what was paid and never changes once the year is over; how a dispute ended, for its tenant.

ALTER TABLE credits ADD COLUMN moved_by uuid REFERENCES reversals;
COMMENT ON COLUMN credits.moved_by IS
  'the reversal that took it from another ledger: what it was a part of goes on as this credit';
CREATE UNIQUE INDEX credits_moved_by ON credits (moved_by) WHERE moved_by IS NOT NULL;
-- Of a move that took parts of several credits it is not known which one a charge was paid from.
UPDATE credits c SET moved_by = source.ids[1]
FROM entries e
JOIN ledgers l ON l.id = e.ledger_id
CROSS JOIN LATERAL (
  SELECT array_agg(rev.entry_id) AS ids
  FROM reversals rev JOIN entries taken ON taken.id = rev.entry_id JOIN ledgers other ON other.id = taken.ledger_id
  WHERE rev.reason = 'moved' AND taken.created_at = e.created_at AND other.tenant_id = l.tenant_id
    AND other.id <> l.id
) source
WHERE e.id = c.entry_id AND c.description LIKE 'Moved from unit %' AND cardinality(source.ids) = 1;

ALTER TABLE allocations ADD COLUMN made_on date;
COMMENT ON COLUMN allocations.made_on IS
  'the facility''s day of the entry that led to it; null where the version before wrote it';
-- Each with the day from which it counts: not before its entries do.
CREATE VIEW dated_allocations WITH (security_invoker = true) AS
  SELECT a.credit_entry_id, a.charge_entry_id, a.amount_cents,
    greatest(a.made_on, credit.posted_on, charge.posted_on, back.posted_on) AS counts_on
  FROM allocations a
  JOIN entries credit ON credit.id = a.credit_entry_id
  JOIN entries charge ON charge.id = a.charge_entry_id
  LEFT JOIN entries back ON back.id = a.reversal_entry_id;
GRANT SELECT ON dated_allocations TO gatehouse_app, gatehouse_office;

ALTER TABLE disputes FORCE ROW LEVEL SECURITY;
ALTER POLICY others ON disputes TO gatehouse_work;
ALTER POLICY others ON disputes RENAME TO work;
CREATE POLICY own ON disputes FOR SELECT TO gatehouse_app
  USING (EXISTS (SELECT FROM payment_intents i WHERE i.id = intent_id));
GRANT SELECT ON disputes TO gatehouse_app;
ALTER TABLE dispute_parts FORCE ROW LEVEL SECURITY;
ALTER POLICY others ON dispute_parts TO gatehouse_work;
ALTER POLICY others ON dispute_parts RENAME TO work;
CREATE POLICY own ON dispute_parts FOR SELECT TO gatehouse_app
  USING (EXISTS (SELECT FROM entries e WHERE e.id = reversal_entry_id));
GRANT SELECT ON dispute_parts TO gatehouse_app;

-- What went back of a payment, and what of that counts again because a dispute was won, which is
-- below 0; `reason` is why, or how its dispute ended.
CREATE VIEW money_back WITH (security_invoker = true) AS
  SELECT back.payment_entry_id, e.position, e.posted_on, e.created_at, e.amount_cents AS cents,
    CASE WHEN d.state = 'lost' THEN 'lost' ELSE back.reason END AS reason, back.description
  FROM taken_back back
  JOIN entries e ON e.id = back.entry_id
  LEFT JOIN dispute_parts part ON part.reversal_entry_id = back.entry_id
  LEFT JOIN disputes d ON d.id = part.dispute_id
  UNION ALL
  SELECT back.payment_entry_id, won.position, won.posted_on, won.created_at, won.amount_cents,
    'won', c.description
  FROM taken_back back
  JOIN dispute_parts part ON part.reversal_entry_id = back.entry_id
  JOIN credits c ON c.entry_id = part.credit_entry_id
  JOIN entries won ON won.id = c.entry_id
  UNION ALL
  SELECT back.payment_entry_id, e.position, e.posted_on, e.created_at, e.amount_cents,
    again.reason, again.description
  FROM taken_back back
  JOIN dispute_parts part ON part.reversal_entry_id = back.entry_id
  JOIN taken_back again ON again.payment_entry_id = part.credit_entry_id
  JOIN entries e ON e.id = again.entry_id;
GRANT SELECT ON money_back TO gatehouse_app, gatehouse_office;

ALTER TABLE facilities ADD COLUMN payment_days_back integer NOT NULL DEFAULT 7
  CHECK (payment_days_back BETWEEN 0 AND 31);
COMMENT ON COLUMN facilities.payment_days_back IS
  'how many days before today a payment over the counter may have come';
GRANT UPDATE (payment_days_back) ON facilities TO gatehouse_work;
