-- An import of the office that was a mistake is undone as long as nothing came after it. Entries
-- are never deleted, so its rentals stay as rows with their entries and a posting that takes the
-- balance back, without a tenant, a unit and a day: what joins one of these does not see them. The
-- tenants and units that it made are deleted. Without foreign keys, so that 100,000 rows do not lock
-- the import, which notes its progress meanwhile.
ALTER TABLE tenants ADD COLUMN import_id uuid;
ALTER TABLE units ADD COLUMN import_id uuid;
ALTER TABLE ledgers ADD COLUMN import_id uuid;
COMMENT ON COLUMN tenants.import_id IS 'the import of the office that made it';
COMMENT ON COLUMN units.import_id IS 'the import of the office that made it';
COMMENT ON COLUMN ledgers.import_id IS 'the import of the office that made it';
CREATE INDEX ON tenants (import_id) WHERE import_id IS NOT NULL;
CREATE INDEX ON units (import_id) WHERE import_id IS NOT NULL;
CREATE INDEX ON ledgers (import_id) WHERE import_id IS NOT NULL;

ALTER TABLE payment_intents ALTER COLUMN tenant_id DROP NOT NULL;
COMMENT ON COLUMN payment_intents.tenant_id IS 'null only of an import that was undone';
ALTER TABLE ledgers ALTER COLUMN tenant_id DROP NOT NULL, ALTER COLUMN unit_id DROP NOT NULL,
  ADD CONSTRAINT undone_is_nothing CHECK (CASE WHEN tenant_id IS NULL
    THEN unit_id IS NULL AND balance_cents = 0 AND moved_out_on <= moved_in_on AND import_id IS NOT NULL
    ELSE unit_id IS NOT NULL END);
COMMENT ON COLUMN ledgers.tenant_id IS 'null only of an import that was undone, as unit_id';
CREATE INDEX undone_ledgers ON ledgers (id) WHERE tenant_id IS NULL;

ALTER TABLE lease_imports ADD COLUMN undoes uuid REFERENCES lease_imports;
COMMENT ON COLUMN lease_imports.undoes IS 'the import that this one undoes';
ALTER TABLE lease_import_places ADD COLUMN undone_at timestamptz;

-- What came after an import at a facility, some of each kind: the table, and whose and where it is.
-- All rows that an import made there have its transaction (xmin) until they are changed, as
-- do the rows that refer to them; of what has another, something came after it. A table that is
-- added later is looked at by its foreign key. In a database that was restored in one transaction
-- it would not show: then the import itself has that transaction too.
CREATE FUNCTION import_followers(of_import uuid, of_facility uuid)
  RETURNS TABLE (what text, tenant text, unit text)
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  made xid;
  is_restored boolean;
  referring record;
BEGIN
  SELECT p.xmin, p.xmin = i.xmin INTO STRICT made, is_restored
  FROM lease_import_places p JOIN lease_imports i ON i.id = p.import_id
  WHERE p.import_id = of_import AND p.facility_id = of_facility;
  IF is_restored THEN
    RETURN QUERY SELECT 'restored', ''::text, ''::text;
  END IF;
  RETURN QUERY SELECT 'tenants', t.name, ''::text FROM tenants t
    WHERE t.import_id = of_import AND t.facility_id = of_facility AND t.xmin <> made LIMIT 3;
  RETURN QUERY SELECT 'units', ''::text, u.name FROM units u
    WHERE u.import_id = of_import AND u.facility_id = of_facility AND u.xmin <> made LIMIT 3;
  RETURN QUERY SELECT 'ledgers', t.name, u.name FROM ledgers l JOIN tenants t ON t.id = l.tenant_id
    JOIN units u ON u.id = l.unit_id
    WHERE l.import_id = of_import AND u.facility_id = of_facility AND l.xmin <> made LIMIT 3;
  FOR referring IN
    SELECT c.conrelid::regclass AS source, a.attname AS source_column, c.confrelid::regclass AS target
    FROM pg_constraint c JOIN pg_attribute a ON a.attrelid = c.conrelid AND a.attnum = c.conkey[1]
    WHERE c.contype = 'f' AND c.conrelid <> 'gate_pushes'::regclass
      AND c.confrelid IN ('ledgers'::regclass, 'tenants'::regclass, 'units'::regclass)
    ORDER BY c.confrelid, c.conrelid::regclass::text
  LOOP
    RETURN QUERY EXECUTE format(CASE referring.target
      WHEN 'ledgers'::regclass THEN
        'SELECT %1$L, t.name, u.name FROM ledgers l JOIN tenants t ON t.id = l.tenant_id
          JOIN units u ON u.id = l.unit_id JOIN %1$s r ON r.%2$I = l.id
          WHERE l.import_id = $1 AND u.facility_id = $2 AND r.xmin <> $3 LIMIT 3'
      WHEN 'tenants'::regclass THEN
        'SELECT %1$L, t.name, '''' FROM tenants t JOIN %1$s r ON r.%2$I = t.id
          WHERE t.import_id = $1 AND t.facility_id = $2 AND r.xmin <> $3 LIMIT 3'
      ELSE
        'SELECT %1$L, '''', u.name FROM units u JOIN %1$s r ON r.%2$I = u.id
          WHERE u.import_id = $1 AND u.facility_id = $2 AND r.xmin <> $3 LIMIT 3' END,
      referring.source, referring.source_column) USING of_import, of_facility, made;
  END LOOP;
  RETURN QUERY SELECT 'closed_months', ''::text, ''::text FROM closed_months m
    WHERE m.facility_id = of_facility AND m.entries_through >= (
      SELECT min(e.position) FROM entries e JOIN ledgers l ON l.id = e.ledger_id
      WHERE l.import_id = of_import AND e.facility_id = of_facility) LIMIT 1;
END $$;
REVOKE EXECUTE ON FUNCTION import_followers FROM PUBLIC;
GRANT EXECUTE ON FUNCTION import_followers TO gatehouse_work;

-- Takes back what an import made at a facility, some rows a call: rentals, then tenants, then units,
-- and at last it is noted as undone. Answers whether more is left. The caller has posted the
-- balances back, and does it in one transaction; what came after it makes the foreign keys refuse.
CREATE FUNCTION undo_import(of_import uuid, of_facility uuid, at timestamptz, most integer)
  RETURNS boolean LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  ids uuid[] := ARRAY(SELECT l.id FROM ledgers l JOIN units u ON u.id = l.unit_id
    WHERE l.import_id = of_import AND u.facility_id = of_facility LIMIT most);
BEGIN
  IF cardinality(ids) > 0 THEN
    DELETE FROM external_ids x WHERE x.row_id = ANY (ids)
      OR x.row_id IN (SELECT e.id FROM entries e WHERE e.ledger_id = ANY (ids));
    DELETE FROM gate_codes WHERE ledger_id = ANY (ids);
    DELETE FROM imported_ledgers WHERE ledger_id = ANY (ids);
    UPDATE payment_intents SET tenant_id = NULL WHERE id IN (
      SELECT intent_id FROM payment_intent_ledgers WHERE ledger_id = ANY (ids));
    UPDATE ledgers SET tenant_id = NULL, unit_id = NULL, moved_out_on = moved_in_on,
      version = version + 1 WHERE id = ANY (ids);
    RETURN true;
  END IF;
  ids := ARRAY(SELECT t.id FROM tenants t
    WHERE t.import_id = of_import AND t.facility_id = of_facility LIMIT most);
  IF cardinality(ids) > 0 THEN
    DELETE FROM external_ids WHERE row_id = ANY (ids);
    DELETE FROM imported_tenants WHERE tenant_id = ANY (ids);
    DELETE FROM mails WHERE tenant_id = ANY (ids) AND sent_at IS NULL;
    DELETE FROM tenants WHERE id = ANY (ids);
    RETURN true;
  END IF;
  ids := ARRAY(SELECT u.id FROM units u
    WHERE u.import_id = of_import AND u.facility_id = of_facility LIMIT most);
  IF cardinality(ids) > 0 THEN
    DELETE FROM gate_pushes WHERE unit_id = ANY (ids);
    DELETE FROM units WHERE id = ANY (ids);
    RETURN true;
  END IF;
  -- A whole push removes the deleted units from the controller; one that is under way, of which the
  -- number is another then, does not count as that.
  UPDATE gate_controllers SET is_whole_due = true, next_at = at, sequence = sequence + 1
    WHERE facility_id = of_facility;
  UPDATE lease_import_places SET undone_at = at
    WHERE import_id = of_import AND facility_id = of_facility;
  RETURN false;
END $$;
REVOKE EXECUTE ON FUNCTION undo_import FROM PUBLIC;
GRANT EXECUTE ON FUNCTION undo_import TO gatehouse_work;
