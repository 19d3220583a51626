-- What the office reads over many rentals is stored as it is posted: a list that reckons it from the entries of every rental
-- takes seconds at a million. Triggers write it, so that a version before this one keeps it too (decision 58).

-- Of an open charge also its facility and day, so that who owes since when is read from these rows alone.
ALTER TABLE owed_charges ADD COLUMN facility_id uuid, ADD COLUMN due_on date, ADD COLUMN is_rent boolean;
COMMENT ON COLUMN owed_charges.facility_id IS 'the rental''s; with due_on and is_rent a copy of what never changes of a charge';

CREATE OR REPLACE FUNCTION note_owed_of_charges() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  INSERT INTO owed_charges AS o (entry_id, ledger_id, owed_cents, facility_id, due_on, is_rent)
  SELECT c.entry_id, c.ledger_id, e.amount_cents - a.cents, u.facility_id, c.due_on, c.category = 'rent'
  FROM added c
  JOIN entries e ON e.id = c.entry_id
  JOIN ledgers l ON l.id = c.ledger_id
  JOIN units u ON u.id = l.unit_id
  CROSS JOIN LATERAL (
    SELECT coalesce(sum(amount_cents), 0)::bigint AS cents FROM allocations WHERE charge_entry_id = c.entry_id
  ) a
  WHERE e.amount_cents > a.cents
  ON CONFLICT (entry_id) DO UPDATE SET owed_cents = excluded.owed_cents;
  RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION note_owed_of_allocations() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  WITH charge AS MATERIALIZED (
    SELECT c.entry_id, c.ledger_id, e.amount_cents - a.cents AS owed_cents, c.due_on, c.category = 'rent' AS is_rent
    FROM (SELECT DISTINCT charge_entry_id FROM added) touched
    JOIN charges c ON c.entry_id = touched.charge_entry_id
    JOIN entries e ON e.id = c.entry_id
    CROSS JOIN LATERAL (
      SELECT coalesce(sum(amount_cents), 0)::bigint AS cents FROM allocations WHERE charge_entry_id = c.entry_id
    ) a
  ), settled AS (
    DELETE FROM owed_charges o USING charge c WHERE o.entry_id = c.entry_id AND c.owed_cents <= 0
  )
  INSERT INTO owed_charges AS o (entry_id, ledger_id, owed_cents, facility_id, due_on, is_rent)
  SELECT c.entry_id, c.ledger_id, c.owed_cents, u.facility_id, c.due_on, c.is_rent
  FROM charge c JOIN ledgers l ON l.id = c.ledger_id JOIN units u ON u.id = l.unit_id WHERE c.owed_cents > 0
  ON CONFLICT (entry_id) DO UPDATE SET owed_cents = excluded.owed_cents;
  RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION reckon_owed_charges(ledgers uuid[]) RETURNS void LANGUAGE plpgsql
  SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  PERFORM FROM public.ledgers l WHERE l.id = ANY (ledgers) ORDER BY l.id FOR NO KEY UPDATE;
  DELETE FROM owed_charges o WHERE o.ledger_id = ANY (ledgers);
  INSERT INTO owed_charges (entry_id, ledger_id, owed_cents, facility_id, due_on, is_rent)
  SELECT c.entry_id, c.ledger_id, e.amount_cents - a.cents, u.facility_id, c.due_on, c.category = 'rent'
  FROM charges c
  JOIN entries e ON e.id = c.entry_id
  JOIN public.ledgers l ON l.id = c.ledger_id
  JOIN units u ON u.id = l.unit_id
  CROSS JOIN LATERAL (
    SELECT coalesce(sum(amount_cents), 0)::bigint AS cents FROM allocations WHERE charge_entry_id = c.entry_id
  ) a
  WHERE c.ledger_id = ANY (ledgers) AND e.amount_cents > a.cents;
END $$;

-- What came in and went back, by the day of posting and the facility: a row for each payment, credit of a won dispute and
-- reversal of either. A credit that was moved to another rental is no money that went back.
CREATE TABLE takings (
  entry_id uuid PRIMARY KEY REFERENCES entries,
  facility_id uuid NOT NULL,
  posted_on date NOT NULL,
  type text NOT NULL,
  via text CHECK (via IN ('gateway', 'counter', 'import', 'dispute')),
  reason text,
  intent_id uuid NOT NULL,
  payout_id text,
  cents bigint NOT NULL CHECK (cents <> 0),
  CHECK ((via IS NULL) = (reason IS NOT NULL)),
  CHECK ((via IS NULL) = (cents < 0))
);
COMMENT ON TABLE takings IS 'derived from the entries (I1), as the view reckoned_takings says';
COMMENT ON COLUMN takings.facility_id IS 'the rental''s; without a foreign key, so that no payment locks its facility';
COMMENT ON COLUMN takings.type IS 'how it was paid, or given back: a refund in cash is cash';
COMMENT ON COLUMN takings.via IS 'who took it; null of what went back';
COMMENT ON COLUMN takings.reason IS 'why it went back';
COMMENT ON COLUMN takings.payout_id IS 'the gateway''s payout that holds the payment; null until the daily comparison has it';
ALTER TABLE takings ENABLE ROW LEVEL SECURITY;
CREATE POLICY work ON takings TO gatehouse_work USING (true);
CREATE POLICY office ON takings FOR SELECT TO gatehouse_office
  USING ((SELECT office_is_all()) OR facility_id = ANY ((SELECT office_facilities())::uuid[]));
GRANT SELECT ON takings TO gatehouse_work, gatehouse_office;

-- Payments apart from the rest: of many tables joined PostgreSQL orders eight at once, and would read every payment there is
-- for the one that was added.
CREATE VIEW reckoned_payment_takings WITH (security_invoker = true) AS
  SELECT p.entry_id, p.ledger_id, u.facility_id, e.posted_on, i.type,
    CASE i.initiator WHEN 'staff' THEN 'counter' WHEN 'import' THEN 'import' ELSE 'gateway' END AS via,
    NULL::text AS reason, p.intent_id, pp.payout_id, -e.amount_cents AS cents
  FROM payments p
  JOIN entries e ON e.id = p.entry_id
  JOIN payment_intents i ON i.id = p.intent_id
  LEFT JOIN payout_payments pp ON pp.intent_id = p.intent_id
  JOIN ledgers l ON l.id = p.ledger_id
  JOIN units u ON u.id = l.unit_id;

CREATE VIEW reckoned_other_takings WITH (security_invoker = true) AS
  SELECT e.id AS entry_id, e.ledger_id, u.facility_id, e.posted_on,
    CASE WHEN r.way IN ('cash', 'check') THEN r.way ELSE i.type END AS type,
    CASE e.kind WHEN 'credit' THEN 'dispute' END AS via,
    rev.reason, i.id AS intent_id, NULL::text AS payout_id, -e.amount_cents AS cents
  FROM entries e
  LEFT JOIN reversals rev ON rev.entry_id = e.id
  LEFT JOIN payments p ON p.entry_id = rev.payment_entry_id
  LEFT JOIN dispute_parts won ON won.credit_entry_id = coalesce(rev.payment_entry_id, e.id)
  LEFT JOIN disputes d ON d.id = won.dispute_id
  JOIN payment_intents i ON i.id = coalesce(p.intent_id, d.intent_id)
  LEFT JOIN refund_parts refunded ON refunded.reversal_entry_id = e.id
  LEFT JOIN refunds r ON r.id = refunded.refund_id
  JOIN ledgers l ON l.id = e.ledger_id
  JOIN units u ON u.id = l.unit_id
  WHERE e.kind IN ('credit', 'reversal') AND rev.reason IS DISTINCT FROM 'moved';

CREATE VIEW reckoned_takings WITH (security_invoker = true) AS
  SELECT * FROM reckoned_payment_takings UNION ALL SELECT * FROM reckoned_other_takings;
GRANT SELECT ON reckoned_takings, reckoned_payment_takings, reckoned_other_takings TO gatehouse_work;

-- With the owner's rights: the server may not write what was taken. The type of what went back is known once its refund is.
CREATE FUNCTION note_takings_of_payments() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  INSERT INTO takings AS t (entry_id, facility_id, posted_on, type, via, reason, intent_id, payout_id, cents)
  SELECT t.entry_id, t.facility_id, t.posted_on, t.type, t.via, t.reason, t.intent_id, t.payout_id, t.cents
  FROM added JOIN reckoned_payment_takings t ON t.entry_id = added.entry_id
  ON CONFLICT (entry_id) DO NOTHING;
  RETURN NULL;
END $$;
-- Of reversals, refunds and disputes: the joins are ordered all together, so that they begin with the rows that were added.
CREATE FUNCTION note_takings_of_reversals() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = pg_catalog, public, pg_temp SET join_collapse_limit = 16 AS $$
BEGIN
  INSERT INTO takings AS t (entry_id, facility_id, posted_on, type, via, reason, intent_id, payout_id, cents)
  SELECT t.entry_id, t.facility_id, t.posted_on, t.type, t.via, t.reason, t.intent_id, t.payout_id, t.cents
  FROM added JOIN reckoned_other_takings t ON t.entry_id = added.entry_id
  ON CONFLICT (entry_id) DO UPDATE SET type = excluded.type;
  RETURN NULL;
END $$;
CREATE FUNCTION note_takings_of_refunds() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = pg_catalog, public, pg_temp SET join_collapse_limit = 16 AS $$
BEGIN
  UPDATE takings t SET type = reckoned.type
  FROM added JOIN reckoned_other_takings reckoned ON reckoned.entry_id = added.reversal_entry_id
  WHERE t.entry_id = added.reversal_entry_id;
  RETURN NULL;
END $$;
CREATE FUNCTION note_takings_of_disputes() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = pg_catalog, public, pg_temp SET join_collapse_limit = 16 AS $$
BEGIN
  INSERT INTO takings AS t (entry_id, facility_id, posted_on, type, via, reason, intent_id, payout_id, cents)
  SELECT t.entry_id, t.facility_id, t.posted_on, t.type, t.via, t.reason, t.intent_id, t.payout_id, t.cents
  FROM changed JOIN reckoned_other_takings t ON t.entry_id = changed.credit_entry_id
  ON CONFLICT (entry_id) DO NOTHING;
  RETURN NULL;
END $$;
CREATE FUNCTION note_takings_of_payouts() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  UPDATE takings t SET payout_id = added.payout_id
  FROM added JOIN payments p ON p.intent_id = added.intent_id WHERE t.entry_id = p.entry_id;
  RETURN NULL;
END $$;
CREATE TRIGGER note_takings AFTER INSERT ON payments REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION note_takings_of_payments();
CREATE TRIGGER note_takings AFTER INSERT ON reversals REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION note_takings_of_reversals();
CREATE TRIGGER note_takings AFTER INSERT ON refund_parts REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION note_takings_of_refunds();
CREATE TRIGGER note_takings AFTER UPDATE ON dispute_parts REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION note_takings_of_disputes();
CREATE TRIGGER note_takings AFTER INSERT ON payout_payments REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION note_takings_of_payouts();

-- Reckons them anew for whole ledgers: for what was posted before the triggers, and by hand where the check of the books
-- finds them wrong. The ledgers are locked first, as whoever posts locks them.
CREATE FUNCTION reckon_takings(ledgers uuid[]) RETURNS void LANGUAGE plpgsql
  SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  PERFORM FROM public.ledgers l WHERE l.id = ANY (ledgers) ORDER BY l.id FOR NO KEY UPDATE;
  DELETE FROM takings t USING entries e WHERE e.id = t.entry_id AND e.ledger_id = ANY (ledgers);
  INSERT INTO takings (entry_id, facility_id, posted_on, type, via, reason, intent_id, payout_id, cents)
  SELECT t.entry_id, t.facility_id, t.posted_on, t.type, t.via, t.reason, t.intent_id, t.payout_id, t.cents
  FROM reckoned_takings t WHERE t.ledger_id = ANY (ledgers);
END $$;
REVOKE EXECUTE ON FUNCTION note_takings_of_payments, note_takings_of_reversals, note_takings_of_refunds, note_takings_of_disputes, note_takings_of_payouts,
  reckon_takings FROM PUBLIC;

-- For 0084, which may be repeated: each batch is a transaction, and no ledger is locked for longer than its batch takes.
CREATE PROCEDURE reckon_all_for_office() LANGUAGE plpgsql AS $$
DECLARE
  batch uuid[];
  last uuid := '00000000-0000-0000-0000-000000000000';
BEGIN
  LOOP
    SELECT array_agg(l.id ORDER BY l.id) INTO batch
    FROM (SELECT id FROM public.ledgers WHERE id > last ORDER BY id LIMIT 500) l;
    EXIT WHEN batch IS NULL;
    PERFORM public.reckon_owed_charges(batch);
    PERFORM public.reckon_takings(batch);
    COMMIT;
    last := batch[array_upper(batch, 1)];
  END LOOP;
END $$;
