-- What is owed of each open charge, stored: to reckon it from all charges and allocations of a ledger took longer with each
-- month. Whatever writes charges or allocations keeps it, also a version before this one: triggers reckon the touched charges
-- anew, whole sums, so that their order does not matter. Nobody else writes here.
CREATE TABLE owed_charges (
  entry_id uuid PRIMARY KEY REFERENCES charges,
  ledger_id uuid NOT NULL,
  owed_cents bigint NOT NULL CHECK (owed_cents > 0)
);
CREATE INDEX owed_charges_ledger ON owed_charges (ledger_id);
COMMENT ON TABLE owed_charges IS 'derived from entries and allocations (I1); a charge with nothing owed has no row';
COMMENT ON COLUMN owed_charges.ledger_id IS 'the charge''s, which has the foreign key';

ALTER TABLE owed_charges ENABLE ROW LEVEL SECURITY;
ALTER TABLE owed_charges FORCE ROW LEVEL SECURITY;
CREATE POLICY own ON owed_charges TO gatehouse_app USING (ledger_id = ANY ((SELECT own_ledgers())::uuid[]));
CREATE POLICY work ON owed_charges TO gatehouse_work USING (true);
GRANT SELECT ON owed_charges TO gatehouse_app;

-- With the owner's rights: the server may not write what is owed.
CREATE FUNCTION note_owed_of_charges() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  INSERT INTO owed_charges AS o (entry_id, ledger_id, owed_cents)
  SELECT c.entry_id, c.ledger_id, e.amount_cents - a.cents
  FROM added c
  JOIN entries e ON e.id = c.entry_id
  CROSS JOIN LATERAL (
    SELECT coalesce(sum(amount_cents), 0)::bigint AS cents FROM allocations WHERE charge_entry_id = c.entry_id
  ) a
  WHERE e.amount_cents > a.cents
  ON CONFLICT (entry_id) DO UPDATE SET owed_cents = excluded.owed_cents;
  RETURN NULL;
END $$;

CREATE FUNCTION note_owed_of_allocations() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  WITH charge AS MATERIALIZED (
    SELECT c.entry_id, c.ledger_id, e.amount_cents - a.cents AS owed_cents
    FROM (SELECT DISTINCT charge_entry_id FROM added) touched
    JOIN charges c ON c.entry_id = touched.charge_entry_id
    JOIN entries e ON e.id = c.entry_id
    CROSS JOIN LATERAL (
      SELECT coalesce(sum(amount_cents), 0)::bigint AS cents FROM allocations WHERE charge_entry_id = c.entry_id
    ) a
  ), settled AS (
    DELETE FROM owed_charges o USING charge c WHERE o.entry_id = c.entry_id AND c.owed_cents <= 0
  )
  INSERT INTO owed_charges AS o (entry_id, ledger_id, owed_cents)
  SELECT entry_id, ledger_id, owed_cents FROM charge WHERE owed_cents > 0
  ON CONFLICT (entry_id) DO UPDATE SET owed_cents = excluded.owed_cents;
  RETURN NULL;
END $$;

CREATE TRIGGER note_owed AFTER INSERT ON charges REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION note_owed_of_charges();
CREATE TRIGGER note_owed AFTER INSERT ON allocations REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION note_owed_of_allocations();

-- Reckons it anew for whole ledgers: for those that were there before the triggers, and by hand where the check of the books
-- finds it wrong. The ledgers are locked first, as whoever posts locks them: what is reckoned then is not posted to meanwhile.
CREATE FUNCTION reckon_owed_charges(ledgers uuid[]) RETURNS void LANGUAGE plpgsql
  SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  PERFORM FROM public.ledgers l WHERE l.id = ANY (ledgers) ORDER BY l.id FOR NO KEY UPDATE;
  DELETE FROM owed_charges o WHERE o.ledger_id = ANY (ledgers);
  INSERT INTO owed_charges (entry_id, ledger_id, owed_cents)
  SELECT c.entry_id, c.ledger_id, e.amount_cents - a.cents
  FROM charges c
  JOIN entries e ON e.id = c.entry_id
  CROSS JOIN LATERAL (
    SELECT coalesce(sum(amount_cents), 0)::bigint AS cents FROM allocations WHERE charge_entry_id = c.entry_id
  ) a
  WHERE c.ledger_id = ANY (ledgers) AND e.amount_cents > a.cents;
END $$;
REVOKE EXECUTE ON FUNCTION note_owed_of_charges, note_owed_of_allocations, reckon_owed_charges FROM PUBLIC;

-- For 0073, which may be repeated: each batch is a transaction, and no ledger is locked for longer than its batch takes.
CREATE PROCEDURE reckon_all_owed_charges() LANGUAGE plpgsql AS $$
DECLARE
  batch uuid[];
  last uuid := '00000000-0000-0000-0000-000000000000';
BEGIN
  LOOP
    SELECT array_agg(l.id ORDER BY l.id) INTO batch
    FROM (SELECT id FROM public.ledgers WHERE id > last ORDER BY id LIMIT 500) l;
    EXIT WHEN batch IS NULL;
    PERFORM public.reckon_owed_charges(batch);
    COMMIT;
    last := batch[array_upper(batch, 1)];
  END LOOP;
END $$;
