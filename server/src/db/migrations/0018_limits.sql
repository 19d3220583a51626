-- How often somebody did something within a window. `key` is a keyed digest: neither addresses nor emails are kept.
CREATE TABLE limit_counts (
  name text NOT NULL,
  key bytea NOT NULL,
  count integer NOT NULL,
  ends_at timestamptz NOT NULL,
  PRIMARY KEY (name, key)
);
CREATE INDEX ON limit_counts (ends_at);

-- Tries to sign in to an account since the last right one, from anywhere or from one known network.
CREATE TABLE sign_in_tries (
  key bytea PRIMARY KEY,
  account bytea NOT NULL,
  tries integer NOT NULL,
  next_at timestamptz NOT NULL
);
CREATE INDEX ON sign_in_tries (account);
CREATE INDEX ON sign_in_tries (next_at);

-- The networks from which an account was signed in to.
CREATE TABLE known_networks (
  account bytea NOT NULL,
  network bytea NOT NULL,
  last_sign_in_at timestamptz NOT NULL,
  PRIMARY KEY (account, network)
);
CREATE INDEX ON known_networks (last_sign_in_at);

GRANT SELECT, INSERT, UPDATE, DELETE ON limit_counts, sign_in_tries, known_networks TO gatehouse_app;
