-- What is owed of the charges that a statement touched is looked up by their ids, whatever PostgreSQL believes of the tables. A
-- connection keeps the plan that it made when they were small: each batch of a billing run over 100,000 ledgers read all
-- charges, entries, ledgers and units, for two thirds of its time.
CREATE FUNCTION note_owed(charge_ids uuid[]) RETURNS void LANGUAGE plpgsql
  SET search_path = pg_catalog, public, pg_temp SET enable_seqscan = off AS $$
BEGIN
  WITH charge AS MATERIALIZED (
    SELECT c.entry_id, c.ledger_id, c.due_on, c.category = 'rent' AS is_rent,
      (SELECT e.amount_cents FROM entries e WHERE e.id = c.entry_id)
        - (SELECT coalesce(sum(a.amount_cents), 0)::bigint FROM allocations a WHERE a.charge_entry_id = c.entry_id) AS owed_cents,
      (SELECT u.facility_id FROM units u WHERE u.id = (SELECT l.unit_id FROM ledgers l WHERE l.id = c.ledger_id)) AS facility_id
    FROM charges c WHERE c.entry_id = ANY (charge_ids)
  ), settled AS (
    DELETE FROM owed_charges WHERE entry_id = ANY (ARRAY (SELECT entry_id FROM charge WHERE owed_cents <= 0))
  )
  INSERT INTO owed_charges AS o (entry_id, ledger_id, owed_cents, facility_id, due_on, is_rent)
  SELECT entry_id, ledger_id, owed_cents, facility_id, due_on, is_rent FROM charge WHERE owed_cents > 0
  ON CONFLICT (entry_id) DO UPDATE SET owed_cents = excluded.owed_cents;
END $$;
REVOKE EXECUTE ON FUNCTION note_owed FROM PUBLIC;

CREATE OR REPLACE FUNCTION note_owed_of_charges() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  PERFORM note_owed(ARRAY (SELECT entry_id FROM added));
  RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION note_owed_of_allocations() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  PERFORM note_owed(ARRAY (SELECT DISTINCT charge_entry_id FROM added));
  RETURN NULL;
END $$;

ALTER FUNCTION note_rate_since_of_bills SET enable_seqscan = off;
