-- A file may give a saved method the token of another account: a fingerprint that the gateway tells of a token is that of the
-- payments by the same token alone.
ALTER TABLE payment_methods ADD COLUMN token_version integer NOT NULL DEFAULT 1;
ALTER TABLE payment_intents ADD COLUMN token_version integer;
COMMENT ON COLUMN payment_methods.token_version IS 'one more with each other token that a file gives';
COMMENT ON COLUMN payment_intents.token_version IS 'that of the saved method as it was charged; null without one, and where it was not noted';
