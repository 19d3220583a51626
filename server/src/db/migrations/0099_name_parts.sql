-- What of a name begins at a word within it, so that staff find "Reyes Marine LLC" by "marine" (features/tenants/find.ts);
-- the whole names have indexes of their own (0033, 0084). A name of one word each has no row here.
CREATE TABLE tenant_name_parts (
  tenant_id uuid NOT NULL REFERENCES tenants ON DELETE CASCADE,
  facility_id uuid NOT NULL,
  part text NOT NULL,
  PRIMARY KEY (tenant_id, part)
);
COMMENT ON TABLE tenant_name_parts IS 'the rest of a name from each of its later words on, in lower case, for the search';
CREATE INDEX tenant_name_parts_by_part ON tenant_name_parts (part text_pattern_ops);
CREATE INDEX tenant_name_parts_here ON tenant_name_parts (facility_id, part text_pattern_ops);
GRANT SELECT ON tenant_name_parts TO gatehouse_work;
ALTER TABLE tenant_name_parts ENABLE ROW LEVEL SECURITY;
ALTER TABLE tenant_name_parts FORCE ROW LEVEL SECURITY;
CREATE POLICY work ON tenant_name_parts TO gatehouse_work USING (true);

-- The words of a name, as the search takes a text apart.
CREATE FUNCTION words_of_name(name text) RETURNS text[] IMMUTABLE PARALLEL SAFE LANGUAGE sql
  RETURN array_remove(regexp_split_to_array(lower(name), '[[:space:],./&()-]+'), '');

CREATE FUNCTION parts_of_name(first_name text, last_name text) RETURNS SETOF text IMMUTABLE PARALLEL SAFE LANGUAGE sql
BEGIN ATOMIC
  SELECT array_to_string(l.words[n:] || f.words, ' ')
  FROM (SELECT words_of_name(last_name) AS words) l, (SELECT words_of_name(first_name) AS words) f,
    generate_series(2, cardinality(l.words)) n
  UNION
  SELECT array_to_string(f.words[n:] || l.words, ' ')
  FROM (SELECT words_of_name(last_name) AS words) l, (SELECT words_of_name(first_name) AS words) f,
    generate_series(2, cardinality(f.words)) n;
END;

-- Reckons the parts of the records anew.
CREATE FUNCTION reckon_name_parts(of_tenants uuid[]) RETURNS void LANGUAGE sql AS $$
  DELETE FROM public.tenant_name_parts WHERE tenant_id = ANY(of_tenants);
  INSERT INTO public.tenant_name_parts (tenant_id, facility_id, part)
  SELECT t.id, t.facility_id, part.text
  FROM public.tenants t CROSS JOIN LATERAL public.parts_of_name(t.first_name, t.last_name) AS part (text)
  WHERE t.id = ANY(of_tenants);
$$;
REVOKE ALL ON FUNCTION reckon_name_parts FROM PUBLIC;

CREATE FUNCTION note_new_names() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  INSERT INTO tenant_name_parts (tenant_id, facility_id, part)
  SELECT t.id, t.facility_id, part.text FROM added t CROSS JOIN LATERAL parts_of_name(t.first_name, t.last_name) AS part (text);
  RETURN NULL;
END $$;
CREATE TRIGGER note_new_names AFTER INSERT ON tenants REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION note_new_names();

CREATE FUNCTION note_changed_name() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM reckon_name_parts(ARRAY[NEW.id]);
  RETURN NULL;
END $$;
CREATE TRIGGER note_changed_name AFTER UPDATE OF first_name, last_name, facility_id ON tenants
  FOR EACH ROW EXECUTE FUNCTION note_changed_name();
REVOKE ALL ON FUNCTION note_new_names, note_changed_name FROM PUBLIC;

-- For 0099_name_parts_concurrently, which may be repeated: each batch is a transaction.
CREATE PROCEDURE reckon_all_name_parts() LANGUAGE plpgsql AS $$
DECLARE
  batch uuid[];
  last uuid := '00000000-0000-0000-0000-000000000000';
BEGIN
  LOOP
    SELECT array_agg(t.id ORDER BY t.id) INTO batch
    FROM (SELECT id FROM public.tenants WHERE id > last ORDER BY id LIMIT 2000 FOR NO KEY UPDATE) t;
    EXIT WHEN batch IS NULL;
    PERFORM public.reckon_name_parts(batch);
    COMMIT;
    last := batch[array_upper(batch, 1)];
  END LOOP;
END $$;
REVOKE ALL ON PROCEDURE reckon_all_name_parts FROM PUBLIC;
