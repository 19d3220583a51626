-- What goes through the drawer of a facility's counter, and the days that were counted and closed. An entry belongs to the
-- first day from its own on that is not closed, so that a closed day never changes.
CREATE TABLE drawer_entries (
  entry_id uuid PRIMARY KEY REFERENCES entries,
  facility_id uuid NOT NULL REFERENCES facilities,
  deposit_on date NOT NULL,
  type text NOT NULL CHECK (type IN ('cash', 'check', 'moneyOrder')),
  cents bigint NOT NULL CHECK (cents <> 0),
  staff_id uuid REFERENCES staff_members,
  by_name text
);
CREATE INDEX ON drawer_entries (facility_id, deposit_on);
COMMENT ON COLUMN drawer_entries.cents IS 'below 0: taken out again, given back in cash or recorded by mistake';
COMMENT ON COLUMN drawer_entries.staff_id IS 'null on the command line, where by_name alone is known';

CREATE TABLE drawer_closings (
  facility_id uuid NOT NULL REFERENCES facilities,
  on_day date NOT NULL,
  staff_id uuid NOT NULL REFERENCES staff_members,
  by_name text NOT NULL CHECK (length(by_name) BETWEEN 1 AND 100),
  why text NOT NULL CHECK (length(why) BETWEEN 1 AND 500),
  closed_at timestamptz NOT NULL,
  PRIMARY KEY (facility_id, on_day)
);
CREATE TABLE drawer_counts (
  facility_id uuid NOT NULL,
  on_day date NOT NULL,
  type text NOT NULL CHECK (type IN ('cash', 'check', 'moneyOrder')),
  count integer NOT NULL CHECK (count >= 0),
  expected_cents bigint NOT NULL,
  counted_cents bigint NOT NULL CHECK (counted_cents >= 0),
  PRIMARY KEY (facility_id, on_day, type),
  FOREIGN KEY (facility_id, on_day) REFERENCES drawer_closings
);

-- Waits for a close that is under way, and a close waits for this.
CREATE FUNCTION open_drawer_day(facility uuid, posted date) RETURNS date LANGUAGE plpgsql
  SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  PERFORM FROM facilities WHERE id = facility FOR SHARE;
  RETURN greatest(posted, (SELECT max(on_day) + 1 FROM drawer_closings WHERE facility_id = facility));
END $$;

-- Whatever posts a payment or takes one back keeps the drawer, also a version before this one. With the owner's rights: the
-- server writes no entry of it by itself. Who did it is a setting of the verb's transaction.
CREATE FUNCTION note_in_drawer(entry uuid, ledger uuid, type text, cents bigint) RETURNS void LANGUAGE sql
  SET search_path = pg_catalog, public, pg_temp AS $$
  INSERT INTO drawer_entries (entry_id, facility_id, deposit_on, type, cents, staff_id, by_name)
  SELECT e.id, u.facility_id, open_drawer_day(u.facility_id, e.posted_on), type, cents,
    nullif(current_setting('app.acting_staff', true), '')::uuid, nullif(current_setting('app.acting_name', true), '')
  FROM entries e, ledgers l JOIN units u ON u.id = l.unit_id WHERE e.id = entry AND l.id = ledger
  ON CONFLICT DO NOTHING;
$$;
CREATE FUNCTION note_drawer_payments() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  PERFORM note_in_drawer(e.id, added.ledger_id, i.type, -e.amount_cents)
  FROM added JOIN payment_intents i ON i.id = added.intent_id AND i.initiator = 'staff' JOIN entries e ON e.id = added.entry_id;
  RETURN NULL;
END $$;
-- A check that bounced was deposited, and a refund by check is none of the drawer's.
CREATE FUNCTION note_drawer_mistakes() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  PERFORM note_in_drawer(e.id, added.ledger_id, i.type, -e.amount_cents)
  FROM added JOIN payments p ON p.entry_id = added.payment_entry_id
  JOIN payment_intents i ON i.id = p.intent_id AND i.initiator = 'staff'
  JOIN entries e ON e.id = added.entry_id WHERE added.reason = 'mistake';
  RETURN NULL;
END $$;
CREATE FUNCTION note_drawer_refunds() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  PERFORM note_in_drawer(e.id, rev.ledger_id, 'cash', -e.amount_cents)
  FROM added JOIN refunds r ON r.id = added.refund_id AND r.way = 'cash'
  JOIN reversals rev ON rev.entry_id = added.reversal_entry_id JOIN entries e ON e.id = rev.entry_id;
  RETURN NULL;
END $$;
CREATE TRIGGER note_in_drawer AFTER INSERT ON payments REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION note_drawer_payments();
CREATE TRIGGER note_in_drawer AFTER INSERT ON reversals REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION note_drawer_mistakes();
CREATE TRIGGER note_in_drawer AFTER INSERT ON refund_parts REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION note_drawer_refunds();
REVOKE EXECUTE ON FUNCTION open_drawer_day, note_in_drawer, note_drawer_payments, note_drawer_mistakes, note_drawer_refunds
  FROM PUBLIC;

-- Days close in order, each once, with nothing under way.
CREATE FUNCTION check_drawer_closing() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM facilities WHERE id = NEW.facility_id FOR NO KEY UPDATE;
  IF EXISTS (SELECT FROM drawer_closings WHERE facility_id = NEW.facility_id AND on_day >= NEW.on_day) THEN
    RAISE EXCEPTION 'the drawer of % is closed until a later day or this one', NEW.on_day USING ERRCODE = 'unique_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER drawer_closes_in_order BEFORE INSERT ON drawer_closings FOR EACH ROW EXECUTE FUNCTION check_drawer_closing();
CREATE FUNCTION refuse_drawer_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% is never changed', TG_TABLE_NAME USING ERRCODE = 'check_violation';
END $$;
CREATE TRIGGER never_changed BEFORE UPDATE OR DELETE ON drawer_entries FOR EACH ROW EXECUTE FUNCTION refuse_drawer_change();
CREATE TRIGGER never_changed BEFORE UPDATE OR DELETE ON drawer_closings FOR EACH ROW EXECUTE FUNCTION refuse_drawer_change();
CREATE TRIGGER never_changed BEFORE UPDATE OR DELETE ON drawer_counts FOR EACH ROW EXECUTE FUNCTION refuse_drawer_change();

DO $$
DECLARE
  place text;
BEGIN
  FOREACH place IN ARRAY ARRAY['drawer_entries', 'drawer_closings', 'drawer_counts'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', place);
    EXECUTE format('CREATE POLICY work ON %I TO gatehouse_work USING (true)', place);
    EXECUTE format('CREATE POLICY office ON %I FOR SELECT TO gatehouse_office
      USING ((SELECT office_is_all()) OR facility_id = ANY ((SELECT office_facilities())::uuid[]))', place);
    EXECUTE format('GRANT SELECT ON %I TO gatehouse_work, gatehouse_office', place);
  END LOOP;
END $$;
GRANT INSERT ON drawer_closings, drawer_counts TO gatehouse_work;

-- What was taken before: by nobody whose name is known.
INSERT INTO drawer_entries (entry_id, facility_id, deposit_on, type, cents)
SELECT e.id, u.facility_id, e.posted_on, CASE WHEN r.way = 'cash' THEN 'cash' ELSE i.type END, -e.amount_cents
FROM entries e
LEFT JOIN reversals rev ON rev.entry_id = e.id
LEFT JOIN refund_parts part ON part.reversal_entry_id = e.id
LEFT JOIN refunds r ON r.id = part.refund_id
JOIN payments p ON p.entry_id = coalesce(rev.payment_entry_id, e.id)
JOIN payment_intents i ON i.id = p.intent_id
JOIN ledgers l ON l.id = e.ledger_id
JOIN units u ON u.id = l.unit_id
WHERE (i.initiator = 'staff' AND (rev.entry_id IS NULL OR rev.reason = 'mistake')) OR r.way = 'cash';
