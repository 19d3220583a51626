-- Text is one thing: how it is stored, by which key it is searched, and what is one name.

-- Names and units as the contract's shapes have had them since (contract/src/typed.ts): in NFC, each
-- space the usual one, without what shows nothing.
CREATE FUNCTION pg_temp.plain(text) RETURNS text LANGUAGE sql AS $$
  SELECT btrim(normalize(regexp_replace(regexp_replace($1,
    '[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f\u2800\u3164\ufe00-\ufe0f\ufeff\uffa0]', '', 'g'),
    '[\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]', ' ', 'g'), NFC))
$$;
UPDATE tenants SET first_name = pg_temp.plain(first_name), last_name = pg_temp.plain(last_name)
WHERE (first_name, last_name) <> (pg_temp.plain(first_name), pg_temp.plain(last_name));
UPDATE vehicles SET license_plate = pg_temp.plain(license_plate)
WHERE license_plate <> pg_temp.plain(license_plate);
DO $$
DECLARE
  twice text;
BEGIN
  SELECT string_agg(said, '; ') INTO twice FROM (
    SELECT format('at %s the units %s', f.location_code, string_agg(u.name, ' and ' ORDER BY u.name)) AS said
    FROM units u JOIN facilities f ON f.id = u.facility_id
    GROUP BY f.id, lower(pg_temp.plain(u.name)) HAVING count(*) > 1
    ORDER BY f.location_code LIMIT 20) pairs;
  IF twice IS NOT NULL THEN
    RAISE EXCEPTION 'Two units of a facility have one name from this version on: %. Rename one of each first, in the version before: UPDATE units SET name = … WHERE id = …', twice;
  END IF;
END $$;
UPDATE units SET name = pg_temp.plain(name) WHERE name <> pg_temp.plain(name);
DROP FUNCTION pg_temp.plain;

-- US numbers are stored as ten digits in every table; what is none stays as it was typed, and is
-- refused when it is next given (contract/src/phone-number.ts).
CREATE FUNCTION pg_temp.ten_digits(text) RETURNS text LANGUAGE sql AS $$
  SELECT substring(regexp_replace($1, '[[:space:]().-]', '', 'g') FROM '^(?:\+?1)?(\d{10})$')
$$;
UPDATE tenants SET phone = pg_temp.ten_digits(phone) WHERE phone <> pg_temp.ten_digits(phone);
UPDATE tenants SET alternate_phone = pg_temp.ten_digits(alternate_phone)
WHERE alternate_phone <> pg_temp.ten_digits(alternate_phone);
UPDATE facilities SET phone = pg_temp.ten_digits(phone) WHERE phone <> pg_temp.ten_digits(phone);
DROP FUNCTION pg_temp.ten_digits;

-- Ten digits of another country, and a number with an extension, get no text messages.
CREATE OR REPLACE FUNCTION text_phone(phone text) RETURNS text
  IMMUTABLE PARALLEL SAFE LANGUAGE sql
  RETURN '+1' || substring(regexp_replace(phone, '[[:space:]().-]', '', 'g') FROM '^(?:\+?1)?(\d{10})$');

-- By what names, units and plates are searched and sorted: letters and digits in lower case,
-- without accents, apostrophes, hyphens, spaces and other signs; ß is ss. A text that is looked for
-- passes it too, so nothing else folds. The alphabet is spelled out because lower() of a Turkish
-- database makes another letter of I.
CREATE FUNCTION search_key(text) RETURNS text IMMUTABLE PARALLEL SAFE LANGUAGE sql
  RETURN replace(replace(replace(replace(translate(lower(translate(
    regexp_replace(normalize($1, NFKD),
      '[\u0001-\u002f\u003a-\u0040\u005b-\u0060\u007b-\u00bf\u02b0-\u036f\u061c\u1ab0-\u1aff\u1dc0-\u1dff\u2000-\u206f\u20d0-\u20ff\u2e00-\u2e7f\u3000-\u303f\ufe00-\ufe2f\ufeff]',
      '', 'g'),
    'ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'abcdefghijklmnopqrstuvwxyz')),
    'øđłıħŧς', 'odlihtσ'), 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th');

-- The digits of a stored phone number, without its extension.
CREATE FUNCTION phone_digits(phone text) RETURNS text IMMUTABLE PARALLEL SAFE LANGUAGE sql
  RETURN regexp_replace(split_part(phone, ' ext. ', 1), '\D', '', 'g');

ALTER TABLE tenants
  ADD COLUMN first_key text NOT NULL GENERATED ALWAYS AS (search_key(first_name)) STORED,
  ADD COLUMN last_key text NOT NULL GENERATED ALWAYS AS (search_key(last_name)) STORED,
  ADD COLUMN phone_digits text GENERATED ALWAYS AS (phone_digits(phone)) STORED;
COMMENT ON COLUMN tenants.last_key IS 'search_key() of the name, as first_key';
COMMENT ON COLUMN tenants.phone_digits IS 'for the search, without an extension';
GRANT SELECT (first_key, last_key) ON tenants TO gatehouse_office;
DROP INDEX tenants_by_last_name, tenants_by_first_name, tenants_by_phone, tenants_here_by_last_name,
  tenants_here_by_first_name, tenants_here_by_phone, tenants_by_facility_and_name, tenants_by_name;
CREATE INDEX tenants_by_last_name ON tenants ((last_key || first_key) text_pattern_ops);
CREATE INDEX tenants_by_first_name ON tenants ((first_key || last_key) text_pattern_ops);
CREATE INDEX tenants_here_by_last_name
  ON tenants (facility_id, (last_key || first_key) text_pattern_ops);
CREATE INDEX tenants_here_by_first_name
  ON tenants (facility_id, (first_key || last_key) text_pattern_ops);
-- A local number has seven digits: its area or country is compared afterwards.
CREATE INDEX tenants_by_phone ON tenants (right(phone_digits, 7));
CREATE INDEX tenants_here_by_phone ON tenants (facility_id, right(phone_digits, 7));
CREATE INDEX tenants_by_facility_and_name ON tenants (facility_id, last_key, first_key, id);
CREATE INDEX tenants_by_name ON tenants (last_key, first_key, id);

-- The later words of a name are searched by their key too. What parts them outlasts the key as a
-- character that nobody types.
CREATE OR REPLACE FUNCTION words_of_name(name text) RETURNS text[]
  IMMUTABLE PARALLEL SAFE LANGUAGE sql
  RETURN array_remove(string_to_array(
    search_key(regexp_replace(name, '[[:space:],./&()\u2010-\u2015-]+', U&'\E000', 'g')), U&'\E000'), '');
CREATE OR REPLACE FUNCTION parts_of_name(first_name text, last_name text)
  RETURNS SETOF text IMMUTABLE PARALLEL SAFE LANGUAGE sql
BEGIN ATOMIC
  SELECT part FROM (
    SELECT words_of_name(first_name) AS first, words_of_name(last_name) AS last
  ) words CROSS JOIN LATERAL (
    SELECT array_to_string(last[n:] || first, '') AS part FROM generate_series(2, cardinality(last)) n
    UNION
    SELECT array_to_string(first[n:] || last, '') FROM generate_series(2, cardinality(first)) n
  ) parts;
END;
COMMENT ON TABLE tenant_name_parts IS
  'the rest of a name from each of its later words on, as search_key(), for the search';
DELETE FROM tenant_name_parts;
INSERT INTO tenant_name_parts (tenant_id, facility_id, part)
SELECT t.id, t.facility_id, part.text
FROM tenants t CROSS JOIN LATERAL parts_of_name(t.first_name, t.last_name) AS part (text);

ALTER TABLE units ADD COLUMN name_key text NOT NULL GENERATED ALWAYS AS (search_key(name)) STORED;
COMMENT ON COLUMN units.name_key IS 'search_key() of the name: of 1-11 and 11-1 it is the same';
DROP INDEX units_by_name, units_here_by_name;
CREATE INDEX units_by_name ON units (name_key);
CREATE INDEX units_here_by_name ON units (facility_id, name_key);
-- A1 and a1 are one unit.
CREATE UNIQUE INDEX units_named_once ON units (facility_id, lower(name));

ALTER TABLE vehicles
  ADD COLUMN plate_key text NOT NULL GENERATED ALWAYS AS (search_key(license_plate)) STORED;
COMMENT ON COLUMN vehicles.plate_key IS 'search_key() of the plate';
DROP INDEX vehicles_by_plate;
-- What staff read off a plate is often its end.
CREATE INDEX vehicles_by_plate ON vehicles (right(plate_key, 4));
