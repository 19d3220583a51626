-- What the operator is told of: how old the keys are (D28), and when the last backup was made. The owner writes both.
CREATE TABLE known_keys (
  kind text NOT NULL CHECK (kind IN ('data', 'secret')),
  key_id text NOT NULL CHECK (key_id ~ '^[0-9a-f]{16}$'),
  first_seen_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (kind, key_id)
);
COMMENT ON TABLE known_keys IS 'an id tells a key apart and gives nothing of it away';

CREATE TABLE backups (
  id bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
  made_at timestamptz NOT NULL,
  place text NOT NULL,
  rows bigint NOT NULL,
  bytes bigint NOT NULL
);
CREATE INDEX ON backups (made_at);

GRANT SELECT ON known_keys, backups TO gatehouse_work;
