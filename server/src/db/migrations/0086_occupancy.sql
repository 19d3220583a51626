-- How many units a facility has and how many rentals without a move-out day, stored as changes whose sum it is: counting all
-- of a million took longer than the page that shows it. Each change is a row of its own, so that two who move in lock nothing
-- of each other; every night the rows of a facility become one.
CREATE TABLE occupancy_changes (
  id bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
  facility_id uuid NOT NULL,
  units integer NOT NULL,
  rentals integer NOT NULL
);
CREATE INDEX ON occupancy_changes (facility_id);
COMMENT ON COLUMN occupancy_changes.rentals IS 'without a move-out day, also such as begin on a later day';
ALTER TABLE occupancy_changes ENABLE ROW LEVEL SECURITY;
CREATE POLICY work ON occupancy_changes TO gatehouse_work USING (true);
CREATE POLICY office ON occupancy_changes FOR SELECT TO gatehouse_office
  USING ((SELECT office_is_all()) OR facility_id = ANY ((SELECT office_facilities())::uuid[]));
GRANT SELECT ON occupancy_changes TO gatehouse_work, gatehouse_office;

CREATE FUNCTION note_units() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  INSERT INTO occupancy_changes (facility_id, units, rentals)
  SELECT facility_id, CASE TG_OP WHEN 'INSERT' THEN count(*) ELSE -count(*) END, 0 FROM changed GROUP BY facility_id;
  RETURN NULL;
END $$;
CREATE FUNCTION note_rentals() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  INSERT INTO occupancy_changes (facility_id, units, rentals)
  SELECT u.facility_id, 0, CASE TG_OP WHEN 'INSERT' THEN count(*) ELSE -count(*) END
  FROM changed c JOIN units u ON u.id = c.unit_id WHERE c.moved_out_on IS NULL GROUP BY u.facility_id;
  RETURN NULL;
END $$;
CREATE FUNCTION note_rental_end() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  INSERT INTO occupancy_changes (facility_id, units, rentals)
  SELECT facility_id, 0, CASE WHEN NEW.moved_out_on IS NULL THEN 1 ELSE -1 END FROM units WHERE id = NEW.unit_id;
  RETURN NULL;
END $$;
CREATE TRIGGER note_units AFTER INSERT ON units REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION note_units();
CREATE TRIGGER note_units_gone AFTER DELETE ON units REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION note_units();
CREATE TRIGGER note_rentals AFTER INSERT ON ledgers REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION note_rentals();
CREATE TRIGGER note_rentals_gone AFTER DELETE ON ledgers REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION note_rentals();
CREATE TRIGGER note_rental_end AFTER UPDATE OF moved_out_on ON ledgers FOR EACH ROW
  WHEN ((OLD.moved_out_on IS NULL) <> (NEW.moved_out_on IS NULL)) EXECUTE FUNCTION note_rental_end();

-- What they must come to, by facility.
CREATE VIEW reckoned_occupancy WITH (security_invoker = true) AS
  SELECT f.id AS facility_id, (SELECT count(*) FROM units u WHERE u.facility_id = f.id)::integer AS units,
    (SELECT count(*) FROM units u JOIN ledgers l ON l.unit_id = u.id
      WHERE u.facility_id = f.id AND l.moved_out_on IS NULL)::integer AS rentals
  FROM facilities f;
GRANT SELECT ON reckoned_occupancy TO gatehouse_work;

-- One row for each facility. Who adds one meanwhile adds to it.
CREATE FUNCTION fold_occupancy() RETURNS void LANGUAGE sql SECURITY DEFINER
  SET search_path = pg_catalog, public, pg_temp AS $$
  WITH folded AS (DELETE FROM occupancy_changes RETURNING facility_id, units, rentals)
  INSERT INTO occupancy_changes (facility_id, units, rentals)
  SELECT facility_id, sum(units), sum(rentals) FROM folded GROUP BY facility_id;
$$;
-- By hand, as the owner, where the check of the books finds them wrong.
CREATE FUNCTION reckon_occupancy() RETURNS void LANGUAGE plpgsql
  SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  LOCK TABLE units, ledgers IN SHARE ROW EXCLUSIVE MODE;
  DELETE FROM occupancy_changes;
  INSERT INTO occupancy_changes (facility_id, units, rentals) SELECT facility_id, units, rentals FROM reckoned_occupancy;
END $$;
REVOKE EXECUTE ON FUNCTION note_units, note_rentals, note_rental_end, fold_occupancy, reckon_occupancy FROM PUBLIC;
GRANT EXECUTE ON FUNCTION fold_occupancy TO gatehouse_work;
-- The triggers are there and no one else has seen them yet: creating them has locked both tables.
SELECT reckon_occupancy();
