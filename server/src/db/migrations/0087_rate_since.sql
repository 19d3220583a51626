-- Since when a rental has its rent is stored, for the list that begins with the oldest: to reckon it from the bills of every
-- rental took longer than a statement may. Triggers write it, as what is owed (decision 58).
ALTER TABLE ledgers ADD COLUMN rate_since date;
COMMENT ON COLUMN ledgers.rate_since IS
  'the first day billed at the rent, or the move-in where no other was billed; null until the rent is billed';

CREATE FUNCTION rate_since_of(ledger uuid, rate bigint, moved_in_on date) RETURNS date STABLE LANGUAGE sql
  SET search_path = pg_catalog, public, pg_temp
  RETURN (SELECT CASE WHEN other.on_day IS NULL THEN moved_in_on ELSE (
      SELECT min(b.due_on) FROM billed_periods b WHERE b.ledger_id = ledger AND b.due_on > other.on_day) END
    FROM (SELECT max(b.due_on) AS on_day FROM billed_periods b WHERE b.ledger_id = ledger AND b.rate_cents <> rate) other);

CREATE FUNCTION note_rate_since() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  NEW.rate_since := rate_since_of(NEW.id, NEW.rental_rate_cents, NEW.moved_in_on);
  RETURN NEW;
END $$;
CREATE TRIGGER note_rate_since BEFORE INSERT OR UPDATE OF rental_rate_cents, moved_in_on ON ledgers
  FOR EACH ROW EXECUTE FUNCTION note_rate_since();

-- A bill at the rent that the rental has had since its last one changes nothing.
CREATE FUNCTION note_rate_since_of_bills() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  UPDATE ledgers l SET rate_since = rate_since_of(l.id, l.rental_rate_cents, l.moved_in_on)
  WHERE l.id IN (
    SELECT a.ledger_id FROM added a JOIN ledgers billed ON billed.id = a.ledger_id
    WHERE billed.rate_since IS NULL OR billed.rental_rate_cents <> a.rate_cents)
    AND l.rate_since IS DISTINCT FROM rate_since_of(l.id, l.rental_rate_cents, l.moved_in_on);
  RETURN NULL;
END $$;
CREATE TRIGGER note_rate_since AFTER INSERT ON billed_periods REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION note_rate_since_of_bills();
REVOKE EXECUTE ON FUNCTION note_rate_since, note_rate_since_of_bills FROM PUBLIC;

-- For 0088, which may be repeated: no ledger is locked for longer than its batch takes.
CREATE PROCEDURE reckon_all_rates_since() LANGUAGE plpgsql AS $$
DECLARE
  batch uuid[];
  last uuid := '00000000-0000-0000-0000-000000000000';
BEGIN
  LOOP
    SELECT array_agg(l.id ORDER BY l.id) INTO batch
    FROM (SELECT id FROM public.ledgers WHERE id > last ORDER BY id LIMIT 500) l;
    EXIT WHEN batch IS NULL;
    PERFORM FROM public.ledgers l WHERE l.id = ANY (batch) ORDER BY l.id FOR NO KEY UPDATE;
    UPDATE public.ledgers l SET rate_since = public.rate_since_of(l.id, l.rental_rate_cents, l.moved_in_on)
    WHERE l.id = ANY (batch);
    COMMIT;
    last := batch[array_upper(batch, 1)];
  END LOOP;
END $$;
