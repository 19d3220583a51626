-- Money that goes back although its payment has not enough left: a bank takes the whole of a check
-- of which a part had been refunded, or moved to another rental. What is left of the payment is
-- reversed, and the rest is charged. The entry is that charge's.
CREATE TABLE owed_again (
  entry_id uuid PRIMARY KEY REFERENCES charges,
  payment_entry_id uuid NOT NULL REFERENCES entries,
  ledger_id uuid NOT NULL REFERENCES ledgers,
  reason text NOT NULL CHECK (reason IN ('return', 'refund', 'nsf', 'chargeback', 'mistake')),
  description text NOT NULL
);
COMMENT ON COLUMN owed_again.reason IS 'why the money went back, as of a reversal';
CREATE INDEX ON owed_again (payment_entry_id);
CREATE INDEX ON owed_again (ledger_id);
ALTER TABLE owed_again ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY own ON owed_again TO gatehouse_app
  USING (ledger_id = ANY ((SELECT own_ledgers())::uuid[]));
CREATE POLICY work ON owed_again TO gatehouse_work USING (true);
CREATE POLICY office ON owed_again FOR SELECT TO gatehouse_office USING ((SELECT office_is_all())
  OR EXISTS (SELECT FROM office_ledgers reach WHERE reach.id = ledger_id));
GRANT SELECT, INSERT ON owed_again TO gatehouse_app;
GRANT SELECT ON owed_again TO gatehouse_office;

-- All that was taken back of payments and credits: what was left of them, and what was not.
CREATE VIEW taken_back WITH (security_invoker = true) AS
  SELECT entry_id, payment_entry_id, ledger_id, reason, description FROM reversals
  UNION ALL
  SELECT entry_id, payment_entry_id, ledger_id, reason, description FROM owed_again;
GRANT SELECT ON taken_back TO gatehouse_app, gatehouse_work, gatehouse_office;

-- What refunds and disputes take back is a reversal or such a charge.
ALTER TABLE refund_parts
  DROP CONSTRAINT refund_parts_reversal_entry_id_fkey,
  ADD FOREIGN KEY (reversal_entry_id) REFERENCES entries;
ALTER TABLE dispute_parts
  DROP CONSTRAINT dispute_parts_reversal_entry_id_fkey,
  ADD FOREIGN KEY (reversal_entry_id) REFERENCES entries;

-- A refund is of a payment or, where no gateway can give it back, of the open credits of a rental.
ALTER TABLE refunds
  ALTER COLUMN intent_id DROP NOT NULL,
  ADD COLUMN ledger_id uuid REFERENCES ledgers,
  ADD CHECK (num_nonnulls(intent_id, ledger_id) = 1),
  ADD CHECK (ledger_id IS NULL OR way IN ('cash', 'check'));
COMMENT ON COLUMN refunds.ledger_id IS 'the rental whose open credits are paid out';
CREATE INDEX ON refunds (ledger_id) WHERE ledger_id IS NOT NULL;
DROP POLICY office ON refunds;
CREATE POLICY office ON refunds FOR SELECT TO gatehouse_office USING ((SELECT office_is_all())
  OR EXISTS (SELECT FROM office_intents reach WHERE reach.id = intent_id)
  OR EXISTS (SELECT FROM office_ledgers reach WHERE reach.id = ledger_id));

-- As it was, with what is owed again of what went back, and with credits that were paid out.
CREATE OR REPLACE VIEW takings WITH (security_invoker = true) AS
  SELECT e.id AS entry_id, e.facility_id, e.posted_on, i.type,
    CASE i.initiator
      WHEN 'staff' THEN 'counter' WHEN 'import' THEN 'import' ELSE 'gateway' END AS via,
    NULL::text AS reason, i.id AS intent_id, paid_out.payout_id, -e.amount_cents AS cents
  FROM entries e
  JOIN payments p ON p.entry_id = e.id
  JOIN payment_intents i ON i.id = p.intent_id
  LEFT JOIN payout_payments paid_out ON paid_out.intent_id = i.id
  WHERE e.kind = 'payment'
  UNION ALL
  SELECT e.id, e.facility_id, e.posted_on, i.type, 'dispute', NULL, i.id, NULL, -e.amount_cents
  FROM entries e
  JOIN dispute_parts won ON won.credit_entry_id = e.id
  JOIN disputes d ON d.id = won.dispute_id
  JOIN payment_intents i ON i.id = d.intent_id
  WHERE e.kind = 'credit'
  UNION ALL
  SELECT e.id, e.facility_id, e.posted_on,
    CASE WHEN r.way IN ('cash', 'check') THEN r.way ELSE i.type END,
    NULL, rev.reason, i.id, NULL, -e.amount_cents
  FROM entries e
  JOIN reversals rev ON rev.entry_id = e.id AND rev.reason <> 'moved'
  JOIN (
    SELECT entry_id, intent_id FROM payments
    UNION ALL
    SELECT won.credit_entry_id, d.intent_id
    FROM dispute_parts won JOIN disputes d ON d.id = won.dispute_id
  ) taken ON taken.entry_id = rev.payment_entry_id
  JOIN payment_intents i ON i.id = taken.intent_id
  LEFT JOIN refund_parts part ON part.reversal_entry_id = e.id
  LEFT JOIN refunds r ON r.id = part.refund_id
  WHERE e.kind = 'reversal' AND r.ledger_id IS NULL
  UNION ALL
  SELECT e.id, e.facility_id, e.posted_on, i.type, NULL, again.reason, i.id, NULL, -e.amount_cents
  FROM owed_again again
  JOIN entries e ON e.id = again.entry_id
  JOIN (
    SELECT entry_id, intent_id FROM payments
    UNION ALL
    SELECT won.credit_entry_id, d.intent_id
    FROM dispute_parts won JOIN disputes d ON d.id = won.dispute_id
  ) taken ON taken.entry_id = again.payment_entry_id
  JOIN payment_intents i ON i.id = taken.intent_id
  UNION ALL
  SELECT e.id, e.facility_id, e.posted_on, r.way, NULL, 'refund', NULL, NULL, -e.amount_cents
  FROM refunds r
  JOIN refund_parts part ON part.refund_id = r.id
  JOIN entries e ON e.id = part.reversal_entry_id
  WHERE r.ledger_id IS NOT NULL;
