-- Which refund a reversal is of: how the money was given back decides in which line of a day's takings it is.
CREATE TABLE refund_parts (
  reversal_entry_id uuid PRIMARY KEY REFERENCES reversals,
  refund_id uuid NOT NULL REFERENCES refunds
);
CREATE INDEX ON refund_parts (refund_id);
GRANT SELECT, INSERT ON refund_parts TO gatehouse_work;

-- A refund's row has the instant of its reversals.
INSERT INTO refund_parts
SELECT DISTINCT ON (rev.entry_id) rev.entry_id, r.id
FROM refunds r
JOIN payments p ON p.intent_id = r.intent_id
JOIN reversals rev ON rev.payment_entry_id = p.entry_id AND rev.reason = 'refund'
JOIN entries e ON e.id = rev.entry_id AND e.created_at = r.updated_at
WHERE r.state = 'succeeded';
