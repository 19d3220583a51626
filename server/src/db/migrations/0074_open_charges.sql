-- The same columns, by what is stored. The ledger is that of the stored row, whose index finds a ledger's open charges.
DROP PROCEDURE reckon_all_owed_charges;
CREATE OR REPLACE VIEW open_charges WITH (security_invoker = true) AS
  SELECT c.entry_id, o.ledger_id, c.category, c.description, c.due_on, c.period_end, c.price_cents, c.discount_cents,
    c.tax1_cents, c.tax2_cents, e.position, o.owed_cents
  FROM owed_charges o
  JOIN charges c ON c.entry_id = o.entry_id
  JOIN entries e ON e.id = o.entry_id;
