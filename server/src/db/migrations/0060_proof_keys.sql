-- A session can be bound to a key of its browser: a copied token alone is then refused.
ALTER TABLE sessions ADD COLUMN proof_key bytea CHECK (octet_length(proof_key) = 65);
COMMENT ON COLUMN sessions.proof_key IS 'the public P-256 key of the browser that signed in, as an uncompressed point; null for an unbound token';
