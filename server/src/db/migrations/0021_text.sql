-- Text is one thing: how it is stored.

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
