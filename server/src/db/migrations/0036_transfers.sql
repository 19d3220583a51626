-- A ledger may continue in another unit of its facility. Its former units are kept, so that papers of that time name them.
ALTER TABLE ledgers
  ADD COLUMN unit_since date,
  ADD COLUMN transfer_unit_id uuid REFERENCES units,
  ADD COLUMN transfer_on date,
  ADD CONSTRAINT whole_transfer CHECK ((transfer_unit_id IS NULL) = (transfer_on IS NULL));
COMMENT ON COLUMN ledgers.unit_since IS 'the first day in this unit; null where that is the move-in';
COMMENT ON COLUMN ledgers.transfer_on IS 'the first day in the unit transfer_unit_id, which the facility''s day makes unit_id then';
CREATE INDEX ledgers_transfer_unit ON ledgers (transfer_unit_id) WHERE transfer_unit_id IS NOT NULL;
GRANT UPDATE (unit_id, unit_since, transfer_unit_id, transfer_on) ON ledgers TO gatehouse_work;

CREATE TABLE past_units (
  ledger_id uuid NOT NULL REFERENCES ledgers,
  unit_id uuid NOT NULL REFERENCES units,
  from_on date NOT NULL,
  until_on date NOT NULL,
  left_at timestamptz NOT NULL,
  PRIMARY KEY (ledger_id, left_at)
);
COMMENT ON COLUMN past_units.until_on IS 'the first day in the next unit';
CREATE INDEX ON past_units (unit_id);
ALTER TABLE past_units ENABLE ROW LEVEL SECURITY;
ALTER TABLE past_units FORCE ROW LEVEL SECURITY;
CREATE POLICY own ON past_units TO gatehouse_app USING (ledger_id = ANY ((SELECT own_ledgers())::uuid[]));
CREATE POLICY work ON past_units TO gatehouse_work USING (true);
GRANT SELECT ON past_units TO gatehouse_app;
GRANT INSERT ON past_units TO gatehouse_work;

-- The name of the unit that a ledger was in at an instant; `now_in` where it still is there.
CREATE FUNCTION unit_name_at(of_ledger uuid, at timestamptz, now_in text) RETURNS text STABLE PARALLEL SAFE LANGUAGE sql
  RETURN coalesce((
    SELECT u.name FROM past_units p JOIN units u ON u.id = p.unit_id
    WHERE p.ledger_id = of_ledger AND p.left_at > at ORDER BY p.left_at LIMIT 1
  ), now_in);

-- Which days of which unit are rented, by whom: now, after a transfer that is planned, and before one.
CREATE VIEW unit_days WITH (security_invoker = true) AS
  SELECT id AS ledger_id, unit_id, rented_days(coalesce(unit_since, moved_in_on), least(transfer_on, moved_out_on)) AS days
  FROM ledgers
  UNION ALL
  SELECT id, transfer_unit_id, rented_days(transfer_on, moved_out_on) FROM ledgers WHERE transfer_unit_id IS NOT NULL
  UNION ALL
  SELECT ledger_id, unit_id, rented_days(from_on, until_on) FROM past_units;
GRANT SELECT ON unit_days TO gatehouse_work;

-- With a transfer ahead a unit may be let anew without an end: the trigger alone says that no two rentals overlap.
DROP INDEX ledgers_current_unit;
CREATE OR REPLACE FUNCTION check_rental_overlap() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = public, pg_temp AS $$
DECLARE
  mine record;
BEGIN
  FOR mine IN
    SELECT * FROM (VALUES
      (NEW.unit_id, rented_days(coalesce(NEW.unit_since, NEW.moved_in_on), least(NEW.transfer_on, NEW.moved_out_on)),
        CASE WHEN TG_OP = 'UPDATE' AND OLD.unit_id = NEW.unit_id
          THEN rented_days(coalesce(OLD.unit_since, OLD.moved_in_on), least(OLD.transfer_on, OLD.moved_out_on))
          ELSE 'empty' END),
      (NEW.transfer_unit_id, rented_days(NEW.transfer_on, NEW.moved_out_on), 'empty')
    ) AS place (unit_id, days, before) WHERE place.unit_id IS NOT NULL ORDER BY place.unit_id
  LOOP
    PERFORM FROM units WHERE id = mine.unit_id FOR NO KEY UPDATE;
    IF EXISTS (
      SELECT FROM unit_days other WHERE other.unit_id = mine.unit_id AND other.ledger_id <> NEW.id
        AND other.days && mine.days AND NOT other.days && mine.before
    ) THEN
      RAISE EXCEPTION 'the unit % is rented in these days', mine.unit_id
        USING ERRCODE = 'exclusion_violation', CONSTRAINT = 'ledgers_overlap', TABLE = 'ledgers';
    END IF;
  END LOOP;
  RETURN NULL;
END $$;
DROP TRIGGER rental_moves ON ledgers;
CREATE TRIGGER rental_moves
  AFTER UPDATE OF unit_id, moved_in_on, moved_out_on, unit_since, transfer_unit_id, transfer_on ON ledgers FOR EACH ROW
  WHEN ((OLD.unit_id, OLD.moved_in_on, OLD.moved_out_on, OLD.unit_since, OLD.transfer_unit_id, OLD.transfer_on)
    IS DISTINCT FROM (NEW.unit_id, NEW.moved_in_on, NEW.moved_out_on, NEW.unit_since, NEW.transfer_unit_id, NEW.transfer_on))
  EXECUTE FUNCTION check_rental_overlap();
