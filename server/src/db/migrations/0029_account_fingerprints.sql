-- What a gateway calls the card or account itself, whoever enters it and however often. It is the gateway's own word or a
-- keyed digest: without the gateway's key nobody can find a number by trying them all. Null where it is not known.
ALTER TABLE payment_methods ADD COLUMN fingerprint text;
ALTER TABLE mandates ADD COLUMN fingerprint text;
ALTER TABLE payment_intents ADD COLUMN fingerprint text, ADD COLUMN method_expires_on text;
ALTER TABLE sandbox_gateway.methods ADD COLUMN fingerprint text;
COMMENT ON COLUMN payment_intents.method_expires_on IS 'YYYY-MM of a card: a renewed card keeps its fingerprint';
CREATE INDEX payment_methods_fingerprint ON payment_methods (fingerprint) WHERE fingerprint IS NOT NULL;
CREATE INDEX mandates_fingerprint ON mandates (fingerprint) WHERE fingerprint IS NOT NULL;

-- The accounts of which a bank returned a debit with a code that stops them.
CREATE TABLE stopped_accounts (
  fingerprint text PRIMARY KEY,
  return_code text NOT NULL,
  stopped_at timestamptz NOT NULL
);
GRANT SELECT, INSERT ON stopped_accounts TO gatehouse_work;

-- A tenant's request may ask for one account, and cannot list them.
CREATE FUNCTION is_stopped_account(fingerprint text) RETURNS boolean
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
RETURN EXISTS (SELECT FROM stopped_accounts s WHERE s.fingerprint = is_stopped_account.fingerprint);
REVOKE EXECUTE ON FUNCTION is_stopped_account FROM PUBLIC;
GRANT EXECUTE ON FUNCTION is_stopped_account TO gatehouse_app, gatehouse_work;

-- What a gateway renews of a card that it keeps.
GRANT UPDATE (brand, last_four, expires_on, funding, fingerprint) ON payment_methods TO gatehouse_work;
GRANT DELETE ON card_warnings TO gatehouse_work;
