-- The tenants, the users who sign in for them, and how they sign in.

-- The records of tenants, each of one facility. The license is sealed.
CREATE TABLE tenants (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  facility_id uuid NOT NULL REFERENCES facilities,
  first_name text NOT NULL,
  last_name text NOT NULL,
  email text NOT NULL,
  phone text,
  street1 text NOT NULL,
  street2 text,
  city text NOT NULL,
  region text NOT NULL,
  postal_code text NOT NULL,
  drivers_license_number text,
  drivers_license_state text,
  alternate_first_name text,
  alternate_last_name text,
  alternate_email text,
  alternate_phone text,
  CHECK ((drivers_license_number IS NULL) = (drivers_license_state IS NULL)),
  CHECK (num_nulls(alternate_first_name, alternate_last_name, alternate_email, alternate_phone)
    IN (0, 4)),
  CONSTRAINT license_is_sealed CHECK (starts_with(drivers_license_number, 'sealed:1:'))
);
COMMENT ON COLUMN tenants.drivers_license_number IS 'sealed (vault.ts)';
CREATE INDEX ON tenants (facility_id);
CREATE INDEX ON tenants (facility_id, lower(email));
-- What staff look up over the counter (features/rentals/tenants/find.ts), in all facilities and in
-- some.
CREATE INDEX tenants_by_last_name
  ON tenants (lower(last_name || ' ' || first_name) text_pattern_ops);
CREATE INDEX tenants_by_first_name
  ON tenants (lower(first_name || ' ' || last_name) text_pattern_ops);
CREATE INDEX tenants_by_email ON tenants (lower(email) text_pattern_ops);
CREATE INDEX tenants_by_phone ON tenants (right(regexp_replace(phone, '\D', '', 'g'), 10));
CREATE INDEX tenants_here_by_last_name
  ON tenants (facility_id, lower(last_name || ' ' || first_name) text_pattern_ops);
CREATE INDEX tenants_here_by_first_name
  ON tenants (facility_id, lower(first_name || ' ' || last_name) text_pattern_ops);
CREATE INDEX tenants_here_by_email ON tenants (facility_id, lower(email) text_pattern_ops);
CREATE INDEX tenants_here_by_phone
  ON tenants (facility_id, right(regexp_replace(phone, '\D', '', 'g'), 10));
-- What the office lists.
CREATE INDEX tenants_by_facility_and_name
  ON tenants (facility_id, lower(last_name), lower(first_name), id);
CREATE INDEX tenants_by_name ON tenants (lower(last_name), lower(first_name), id);
ALTER TABLE tenants ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY own ON tenants TO gatehouse_app USING (id = ANY ((SELECT own_tenants())::uuid[]));
CREATE POLICY work ON tenants TO gatehouse_work USING (true);
CREATE POLICY office ON tenants FOR SELECT TO gatehouse_office
  USING ((SELECT office_is_all()) OR facility_id = ANY ((SELECT office_facilities())::uuid[]));
GRANT SELECT, UPDATE (phone, drivers_license_number, drivers_license_state, alternate_first_name,
  alternate_last_name, alternate_email, alternate_phone) ON tenants TO gatehouse_app;
GRANT INSERT, UPDATE (email) ON tenants TO gatehouse_work;
GRANT SELECT (id, facility_id, first_name, last_name, email, phone, street1, street2, city, region,
  postal_code, alternate_first_name, alternate_last_name, alternate_email, alternate_phone) ON
  tenants TO gatehouse_office;

-- What is in reach of the office, in one step for each table (office_ledgers, office_entries and
-- office_intents as well): a policy that goes through the policies of other tables makes plans of
-- hundreds of parts. These views read as their owner, whom no policy limits, and give only ids.
CREATE VIEW office_tenants AS
  SELECT t.id FROM tenants t WHERE t.facility_id = ANY ((SELECT office_facilities())::uuid[]);
GRANT SELECT ON office_tenants TO gatehouse_office;

-- The words of a name, as the search takes a text apart.
CREATE FUNCTION words_of_name(name text) RETURNS text[] IMMUTABLE PARALLEL SAFE LANGUAGE sql
  RETURN array_remove(regexp_split_to_array(lower(name), '[[:space:],./&()-]+'), '');

-- What of a name begins at a word within it.
CREATE FUNCTION parts_of_name(first_name text, last_name text)
  RETURNS SETOF text IMMUTABLE PARALLEL SAFE LANGUAGE sql
BEGIN ATOMIC
  SELECT array_to_string(l.words[n:] || f.words, ' ')
  FROM (SELECT words_of_name(last_name) AS words) l, (SELECT words_of_name(first_name) AS words) f,
    generate_series(2, cardinality(l.words)) n
  UNION
  SELECT array_to_string(f.words[n:] || l.words, ' ')
  FROM (SELECT words_of_name(last_name) AS words) l, (SELECT words_of_name(first_name) AS words) f,
    generate_series(2, cardinality(f.words)) n;
END;

-- The parts of names of several words, so that staff find "Reyes Marine LLC" by "marine"
-- (features/rentals/tenants/find.ts); the whole names have indexes of their own. A name of one word
-- each has no row here.
CREATE TABLE tenant_name_parts (
  tenant_id uuid NOT NULL REFERENCES tenants ON DELETE CASCADE,
  facility_id uuid NOT NULL,
  part text NOT NULL,
  PRIMARY KEY (tenant_id, part)
);
COMMENT ON TABLE tenant_name_parts IS
  'the rest of a name from each of its later words on, in lower case, for the search';
CREATE INDEX tenant_name_parts_by_part ON tenant_name_parts (part text_pattern_ops);
CREATE INDEX tenant_name_parts_here ON tenant_name_parts (facility_id, part text_pattern_ops);
ALTER TABLE tenant_name_parts ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY work ON tenant_name_parts TO gatehouse_work USING (true);
GRANT SELECT ON tenant_name_parts TO gatehouse_work;

-- Computes the parts of these records again.
CREATE FUNCTION reckon_name_parts(of_tenants uuid[]) RETURNS void LANGUAGE sql AS $$
  DELETE FROM public.tenant_name_parts WHERE tenant_id = ANY(of_tenants);
  INSERT INTO public.tenant_name_parts (tenant_id, facility_id, part)
  SELECT t.id, t.facility_id, part.text
  FROM public.tenants t
  CROSS JOIN LATERAL public.parts_of_name(t.first_name, t.last_name) AS part (text)
  WHERE t.id = ANY(of_tenants);
$$;
REVOKE EXECUTE ON FUNCTION reckon_name_parts FROM PUBLIC;

CREATE FUNCTION note_new_names() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = public, pg_temp AS $$
BEGIN
  INSERT INTO tenant_name_parts (tenant_id, facility_id, part)
  SELECT t.id, t.facility_id, part.text
  FROM added t CROSS JOIN LATERAL parts_of_name(t.first_name, t.last_name) AS part (text);
  RETURN NULL;
END $$;
REVOKE EXECUTE ON FUNCTION note_new_names FROM PUBLIC;
CREATE TRIGGER note_new_names AFTER INSERT ON tenants REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION note_new_names();

CREATE FUNCTION note_changed_name() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM reckon_name_parts(ARRAY[NEW.id]);
  RETURN NULL;
END $$;
REVOKE EXECUTE ON FUNCTION note_changed_name FROM PUBLIC;
CREATE TRIGGER note_changed_name AFTER UPDATE OF first_name, last_name, facility_id ON tenants
  FOR EACH ROW EXECUTE FUNCTION note_changed_name();

CREATE TABLE tenant_notes (
  id uuid PRIMARY KEY,
  tenant_id uuid NOT NULL REFERENCES tenants,
  text text NOT NULL CHECK (length(text) BETWEEN 1 AND 2000),
  by_name text NOT NULL CHECK (length(by_name) BETWEEN 1 AND 100),
  created_at timestamptz NOT NULL,
  removed_at timestamptz
);
COMMENT ON TABLE tenant_notes IS 'of staff, about a tenant record; a tenant never sees them';
CREATE INDEX ON tenant_notes (tenant_id, created_at);
ALTER TABLE tenant_notes ENABLE ROW LEVEL SECURITY;
CREATE POLICY others ON tenant_notes TO gatehouse_app, gatehouse_work USING (true);
CREATE POLICY office ON tenant_notes FOR SELECT TO gatehouse_office USING ((SELECT office_is_all())
  OR EXISTS (SELECT FROM office_tenants reach WHERE reach.id = tenant_id));
GRANT SELECT, INSERT, UPDATE (removed_at) ON tenant_notes TO gatehouse_work;
GRANT SELECT ON tenant_notes TO gatehouse_office;

-- The accounts that sign in to the portal. An account has the tenant records of its address.
CREATE TABLE users (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  corporation_id uuid NOT NULL REFERENCES corporations,
  email text NOT NULL,
  password_hash text NOT NULL,
  disabled_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  language text CHECK (language IN ('en', 'es'))
);
COMMENT ON COLUMN users.language IS
  'of the account''s mails, text messages and papers; null where none was chosen yet';
CREATE UNIQUE INDEX ON users (corporation_id, lower(email));
ALTER TABLE users ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY own ON users TO gatehouse_app USING (id = (SELECT own_user()));
CREATE POLICY work ON users TO gatehouse_work USING (true);
GRANT SELECT (id, corporation_id, email, disabled_at, language), UPDATE (language)
  ON users TO gatehouse_app;
GRANT SELECT, INSERT, UPDATE (password_hash, disabled_at) ON users TO gatehouse_work;
GRANT SELECT (id, corporation_id, email, disabled_at, created_at) ON users TO gatehouse_office;

-- The tenant records of each account.
CREATE TABLE user_tenants (
  user_id uuid NOT NULL REFERENCES users,
  tenant_id uuid NOT NULL REFERENCES tenants,
  position integer NOT NULL DEFAULT 1,
  PRIMARY KEY (user_id, tenant_id)
);
CREATE INDEX ON user_tenants (tenant_id);
ALTER TABLE user_tenants ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY own ON user_tenants TO gatehouse_app USING (user_id = (SELECT own_user()));
CREATE POLICY work ON user_tenants TO gatehouse_work USING (true);
CREATE POLICY office ON user_tenants FOR SELECT TO gatehouse_office USING ((SELECT office_is_all())
  OR EXISTS (SELECT FROM office_tenants reach WHERE reach.id = tenant_id));
GRANT SELECT ON user_tenants TO gatehouse_app, gatehouse_office;
GRANT SELECT, INSERT, DELETE ON user_tenants TO gatehouse_work;
-- An account is in reach with one of its tenant records.
CREATE POLICY office ON users FOR SELECT TO gatehouse_office USING ((SELECT office_is_all())
  OR (EXISTS (SELECT FROM user_tenants ut WHERE ut.user_id = users.id)));

-- What tenants changed of their records, by which user and when: a notice is owed to the contact
-- that was last given in writing, and what is stored decides the tax. Append-only.
CREATE TABLE tenant_changes (
  id bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
  tenant_id uuid NOT NULL REFERENCES tenants,
  user_id uuid NOT NULL REFERENCES users,
  changed_at timestamptz NOT NULL,
  part text NOT NULL CHECK (part IN ('license', 'phone', 'alternateContact')),
  value jsonb
);
COMMENT ON COLUMN tenant_changes.value IS
  'what was given; null for a license, which is sealed in the record';
CREATE INDEX ON tenant_changes (tenant_id);
ALTER TABLE tenant_changes ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY own ON tenant_changes TO gatehouse_app
  USING (tenant_id = ANY ((SELECT own_tenants())::uuid[]));
CREATE POLICY work ON tenant_changes TO gatehouse_work USING (true);
GRANT SELECT, INSERT ON tenant_changes TO gatehouse_app;

-- The passkeys (WebAuthn) that a user signs in with. The private half never leaves the
-- authenticator.
CREATE TABLE passkeys (
  id uuid PRIMARY KEY,
  user_id uuid NOT NULL REFERENCES users,
  credential_id bytea NOT NULL UNIQUE CHECK (octet_length(credential_id) BETWEEN 1 AND 1023),
  public_key bytea NOT NULL,
  counter bigint NOT NULL CHECK (counter >= 0),
  is_synced boolean NOT NULL,
  name text NOT NULL CHECK (length(name) BETWEEN 1 AND 50),
  created_at timestamptz NOT NULL,
  last_used_at timestamptz
);
COMMENT ON COLUMN passkeys.public_key IS 'a COSE key (RFC 9052)';
CREATE INDEX ON passkeys (user_id, created_at);
ALTER TABLE passkeys ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY own ON passkeys TO gatehouse_app USING (user_id = (SELECT own_user()));
CREATE POLICY work ON passkeys TO gatehouse_work USING (true);
GRANT SELECT, INSERT, DELETE, UPDATE (counter, is_synced, name, last_used_at)
  ON passkeys TO gatehouse_app;
GRANT SELECT, DELETE, UPDATE (counter, is_synced, last_used_at) ON passkeys TO gatehouse_work;

-- The challenges that a passkey has answered, until they expire: each answer counts once.
CREATE TABLE used_challenges (
  challenge bytea PRIMARY KEY,
  used_at timestamptz NOT NULL
);
CREATE INDEX ON used_challenges (used_at);
GRANT INSERT ON used_challenges TO gatehouse_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON used_challenges TO gatehouse_work;

-- A session is bound to a user and a location; only the token's SHA-256 is kept. A session that its
-- user keeps on a phone, begun by a passkey, lasts until a day, whatever happens in it, and what
-- pays or changes contacts needs the passkey again. Only a session that is bound to its browser is
-- kept, and it ends with its passkey.
CREATE TABLE sessions (
  token_hash bytea PRIMARY KEY,
  user_id uuid NOT NULL REFERENCES users,
  facility_id uuid NOT NULL REFERENCES facilities,
  created_at timestamptz NOT NULL DEFAULT now(),
  last_seen_at timestamptz NOT NULL DEFAULT now(),
  proof_key bytea CHECK (octet_length(proof_key) = 65),
  browser text CHECK (length(browser) BETWEEN 1 AND 60),
  kept_by uuid REFERENCES passkeys ON DELETE CASCADE,
  kept_until timestamptz,
  confirmed_at timestamptz,
  CONSTRAINT sessions_kept_whole CHECK (num_nonnulls(kept_by, kept_until, confirmed_at) IN (0, 3)),
  CONSTRAINT sessions_kept_bound CHECK (kept_by IS NULL OR proof_key IS NOT NULL)
);
COMMENT ON COLUMN sessions.proof_key IS
  'the public P-256 key of the browser that signed in, as an uncompressed point; null for an '
  'unbound token';
COMMENT ON COLUMN sessions.browser IS
  'what the browser called itself at the sign-in, such as Chrome on Android; null for what is not '
  'known';
COMMENT ON COLUMN sessions.kept_by IS
  'the passkey that began a kept session; null for any other session';
COMMENT ON COLUMN sessions.confirmed_at IS
  'when a passkey of the user was last used in a kept session';
CREATE INDEX ON sessions (user_id, created_at);
CREATE INDEX ON sessions (created_at);
CREATE INDEX ON sessions (kept_by) WHERE kept_by IS NOT NULL;
ALTER TABLE sessions ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY own ON sessions TO gatehouse_app USING (user_id = (SELECT own_user()));
CREATE POLICY work ON sessions TO gatehouse_work USING (true);
GRANT SELECT, DELETE, UPDATE (confirmed_at) ON sessions TO gatehouse_app;
GRANT INSERT, UPDATE ON sessions TO gatehouse_work;

-- Whether a session still lasts: a kept one until its day, any other one while it is neither idle
-- nor as old as one may get.
CREATE FUNCTION session_lasts(one sessions, at timestamptz, idle interval, longest interval)
  RETURNS boolean
  STABLE PARALLEL SAFE LANGUAGE sql
  RETURN CASE WHEN (one).kept_until IS NULL THEN (one).last_seen_at > at - idle
    AND (one).created_at > at - longest
    ELSE (one).kept_until > at END;

-- The browsers from which a user signed in. A token counts only at the sign-in of its own user;
-- only its hash is kept.
CREATE TABLE devices (
  token_hash bytea PRIMARY KEY,
  user_id uuid NOT NULL REFERENCES users,
  created_at timestamptz NOT NULL,
  last_used_at timestamptz NOT NULL
);
CREATE INDEX ON devices (user_id, last_used_at);
CREATE INDEX ON devices (last_used_at);
GRANT SELECT, INSERT, UPDATE, DELETE ON devices TO gatehouse_work;

-- Lookups of an address, up to three open ones for each count: a lookup does not end another's
-- code. `key` is the count that it belongs to, a digest of the address or of its owner's device. Of
-- token and code only hashes are kept. An address that is not on file has rows too, with codes that
-- are sent to no one.
CREATE TABLE account_lookups (
  token_hash bytea PRIMARY KEY,
  key bytea NOT NULL,
  facility_id uuid NOT NULL REFERENCES facilities,
  email text NOT NULL CHECK (email = lower(email)),
  code_hash bytea NOT NULL,
  tries integer NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL,
  verified_at timestamptz
);
CREATE INDEX ON account_lookups (key);
CREATE INDEX ON account_lookups (email);
CREATE INDEX ON account_lookups (created_at);
GRANT SELECT, INSERT, UPDATE, DELETE ON account_lookups TO gatehouse_work;

-- How often a caller did something within a window. `key` is a keyed digest: neither addresses nor
-- emails are kept.
CREATE TABLE limit_counts (
  name text NOT NULL,
  key bytea NOT NULL,
  count integer NOT NULL,
  ends_at timestamptz NOT NULL,
  PRIMARY KEY (name, key)
);
CREATE INDEX ON limit_counts (ends_at);
GRANT SELECT, INSERT, UPDATE ON limit_counts TO gatehouse_app;
GRANT DELETE ON limit_counts TO gatehouse_work;

-- Tries to sign in to an account since the last right one, from anywhere or from one known network.
CREATE TABLE sign_in_tries (
  key bytea PRIMARY KEY,
  account bytea NOT NULL,
  tries integer NOT NULL,
  next_at timestamptz NOT NULL
);
CREATE INDEX ON sign_in_tries (account);
CREATE INDEX ON sign_in_tries (next_at);
GRANT SELECT, INSERT, UPDATE, DELETE ON sign_in_tries TO gatehouse_work;

-- The networks from which an account was signed in to.
CREATE TABLE known_networks (
  account bytea NOT NULL,
  network bytea NOT NULL,
  last_sign_in_at timestamptz NOT NULL,
  PRIMARY KEY (account, network)
);
CREATE INDEX ON known_networks (last_sign_in_at);
GRANT SELECT, INSERT, UPDATE, DELETE ON known_networks TO gatehouse_work;

-- A calendar that a tenant subscribes to by a private URL. Its token is computed from the id and
-- the server's key, so that the row by itself opens nothing, and a deleted row ends it.
CREATE TABLE calendar_feeds (
  id uuid PRIMARY KEY,
  user_id uuid NOT NULL REFERENCES users,
  tenant_id uuid NOT NULL REFERENCES tenants,
  created_at timestamptz NOT NULL,
  UNIQUE (user_id, tenant_id)
);
CREATE INDEX ON calendar_feeds (tenant_id);
ALTER TABLE calendar_feeds ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY own ON calendar_feeds TO gatehouse_app
  USING (user_id = (SELECT own_user()) AND tenant_id = ANY ((SELECT own_tenants())::uuid[]));
CREATE POLICY work ON calendar_feeds TO gatehouse_work USING (true);
GRANT SELECT, INSERT, DELETE ON calendar_feeds TO gatehouse_app;
