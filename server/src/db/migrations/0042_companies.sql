-- A tenant that is a company: its name is what lists and papers say, and a person is its contact.
ALTER TABLE tenants
  ADD COLUMN company text CHECK (length(company) BETWEEN 1 AND 200);
COMMENT ON COLUMN tenants.company IS
  'the firm that rents, whose contact first_name and last_name are; null of a person';

-- What the keys of the name are made of changes, so that nothing may read them meanwhile.
CREATE OR REPLACE FUNCTION strangers_at_address(of_tenant uuid) RETURNS SETOF uuid STABLE
  LANGUAGE sql BEGIN ATOMIC SELECT NULL::uuid WHERE false; END;
ALTER TABLE tenants DROP COLUMN first_key, DROP COLUMN last_key;
ALTER TABLE tenants
  ADD COLUMN name text NOT NULL
    GENERATED ALWAYS AS (coalesce(company, btrim(first_name || ' ' || last_name))) STORED,
  ADD COLUMN first_key text NOT NULL
    GENERATED ALWAYS AS (CASE WHEN company IS NULL THEN search_key(first_name) ELSE '' END) STORED,
  ADD COLUMN last_key text NOT NULL
    GENERATED ALWAYS AS (search_key(coalesce(company, last_name))) STORED;
COMMENT ON COLUMN tenants.name IS 'the company, or the person';
COMMENT ON COLUMN tenants.last_key IS
  'search_key() of the company or last name, as first_key of the first name of a person';
GRANT SELECT (company, name, first_key, last_key) ON tenants TO gatehouse_office;
GRANT UPDATE (company, first_name, last_name, phone, street1, street2, city, region, postal_code)
  ON tenants TO gatehouse_work;
CREATE INDEX tenants_by_last_name ON tenants ((last_key || first_key) text_pattern_ops);
CREATE INDEX tenants_by_first_name ON tenants ((first_key || last_key) text_pattern_ops);
CREATE INDEX tenants_here_by_last_name
  ON tenants (facility_id, (last_key || first_key) text_pattern_ops);
CREATE INDEX tenants_here_by_first_name
  ON tenants (facility_id, (first_key || last_key) text_pattern_ops);
CREATE INDEX tenants_by_facility_and_name ON tenants (facility_id, last_key, first_key, id);
CREATE INDEX tenants_by_name ON tenants (last_key, first_key, id);

-- First and last name are compared each: Ann Alee and Anna Lee are two people.
CREATE OR REPLACE FUNCTION strangers_at_address(of_tenant uuid) RETURNS SETOF uuid STABLE LANGUAGE sql
BEGIN ATOMIC
  SELECT other.id
  FROM tenants t
  JOIN facilities f ON f.id = t.facility_id
  JOIN tenants other ON lower(other.email) = lower(t.email) AND other.id <> t.id
  JOIN facilities there
    ON there.id = other.facility_id AND there.corporation_id = f.corporation_id
  -- Names of signs only match no other.
  WHERE t.id = of_tenant AND (other.first_key || ' ' || other.last_key)
    IS DISTINCT FROM nullif(t.first_key || ' ' || t.last_key, ' ');
END;

-- A company is found by its later words and by its contact's name in either order.
CREATE FUNCTION parts_of_tenant(company text, first_name text, last_name text)
  RETURNS SETOF text IMMUTABLE PARALLEL SAFE LANGUAGE sql
BEGIN ATOMIC
  SELECT part FROM parts_of_name(first_name, last_name) AS part
  UNION
  SELECT part FROM (
    SELECT parts_of_name('', company) AS part
    UNION SELECT search_key(first_name || last_name) UNION SELECT search_key(last_name || first_name)
  ) of_company WHERE company IS NOT NULL AND part <> '';
END;
CREATE OR REPLACE FUNCTION reckon_name_parts(of_tenants uuid[]) RETURNS void LANGUAGE sql AS $$
  DELETE FROM public.tenant_name_parts WHERE tenant_id = ANY(of_tenants);
  INSERT INTO public.tenant_name_parts (tenant_id, facility_id, part)
  SELECT t.id, t.facility_id, part.text
  FROM public.tenants t
  CROSS JOIN LATERAL public.parts_of_tenant(t.company, t.first_name, t.last_name) AS part (text)
  WHERE t.id = ANY(of_tenants);
$$;
CREATE OR REPLACE FUNCTION note_new_names() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = public, pg_temp AS $$
BEGIN
  INSERT INTO tenant_name_parts (tenant_id, facility_id, part)
  SELECT t.id, t.facility_id, part.text
  FROM added t
  CROSS JOIN LATERAL parts_of_tenant(t.company, t.first_name, t.last_name) AS part (text);
  RETURN NULL;
END $$;
DROP TRIGGER note_changed_name ON tenants;
CREATE TRIGGER note_changed_name AFTER UPDATE OF company, first_name, last_name, facility_id
  ON tenants FOR EACH ROW EXECUTE FUNCTION note_changed_name();
