-- A ledger is a current rental on a day until the day of its move-out, the first day that is not rented. The planner sees the
-- expression in place of the call.
CREATE FUNCTION is_current_on(moved_out_on date, day date) RETURNS boolean IMMUTABLE PARALLEL SAFE LANGUAGE sql
  RETURN moved_out_on IS NULL OR moved_out_on > day;
COMMENT ON FUNCTION is_current_on IS 'as isCurrentOn of db/current-rental.ts; day is today in the facility''s calendar';

-- The days that are rented. A move-out before the move-in, which old rows may have, is none.
CREATE FUNCTION rented_days(moved_in_on date, moved_out_on date) RETURNS daterange IMMUTABLE PARALLEL SAFE LANGUAGE sql
  RETURN daterange(moved_in_on, CASE WHEN moved_out_on < moved_in_on THEN moved_in_on ELSE moved_out_on END);

CREATE INDEX ledgers_unit ON ledgers (unit_id);

-- Two rentals of one unit never overlap in time. An exclusion constraint would need btree_gist, which not every server has, and
-- would refuse rows that overlapped before; ledgers_current_unit says it of rentals without an end alone. The unit's row is
-- locked, so that of two writers at once the second sees what the first has written. Whose rows they are does not matter here:
-- the function has the rights of its owner.
CREATE FUNCTION check_rental_overlap() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  days daterange := rented_days(NEW.moved_in_on, NEW.moved_out_on);
  before daterange := 'empty';
BEGIN
  IF TG_OP = 'UPDATE' AND OLD.unit_id = NEW.unit_id THEN
    before := rented_days(OLD.moved_in_on, OLD.moved_out_on);
  END IF;
  PERFORM FROM units WHERE id = NEW.unit_id FOR NO KEY UPDATE;
  IF EXISTS (
    SELECT FROM ledgers other WHERE other.unit_id = NEW.unit_id AND other.id <> NEW.id
      AND rented_days(other.moved_in_on, other.moved_out_on) && days
      AND NOT rented_days(other.moved_in_on, other.moved_out_on) && before
  ) THEN
    RAISE EXCEPTION 'the unit % is rented in these days', NEW.unit_id
      USING ERRCODE = 'exclusion_violation', CONSTRAINT = 'ledgers_overlap', TABLE = 'ledgers';
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER rental_begins AFTER INSERT ON ledgers FOR EACH ROW EXECUTE FUNCTION check_rental_overlap();
CREATE TRIGGER rental_moves AFTER UPDATE OF unit_id, moved_in_on, moved_out_on ON ledgers FOR EACH ROW
  WHEN ((OLD.unit_id, OLD.moved_in_on, OLD.moved_out_on) IS DISTINCT FROM (NEW.unit_id, NEW.moved_in_on, NEW.moved_out_on))
  EXECUTE FUNCTION check_rental_overlap();
