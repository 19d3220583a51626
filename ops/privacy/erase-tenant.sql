-- psql -v ON_ERROR_STOP=1 -v tenant=<id of the tenant record> -f erase-tenant.sql: forgets who a former tenant was. The books stay, under a
-- record without a name; mandates and the audit trail stay for their time (docs/retention.md). All of it or nothing.
\set QUIET on
\set ON_ERROR_STOP on
BEGIN;
CREATE FUNCTION pg_temp.forget(wanted uuid) RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE
  who public.tenants;
  owned uuid[] := ARRAY(SELECT id FROM public.ledgers WHERE tenant_id = wanted);
  is_shared boolean;
  sole uuid[];
  placeholder text := 'forgotten-' || wanted || '@example.invalid';
BEGIN
  SELECT * INTO who FROM public.tenants WHERE id = wanted FOR UPDATE;
  IF who.id IS NULL THEN
    RAISE EXCEPTION 'There is no tenant record %.', wanted;
  END IF;
  IF EXISTS (SELECT FROM public.ledgers l JOIN public.facilities f ON f.id = who.facility_id WHERE l.id = ANY (owned)
    AND (public.is_current_on(l.moved_out_on, (now() AT TIME ZONE f.time_zone)::date) OR l.balance_cents <> 0)) THEN
    RAISE EXCEPTION 'The tenant record has a current rental or a balance: end and settle that first.';
  END IF;
  IF EXISTS (SELECT FROM public.payment_intents WHERE tenant_id = wanted AND state IN ('submitted', 'unknown', 'pending')) THEN
    RAISE EXCEPTION 'A payment of the tenant record is not final yet.';
  END IF;
  is_shared := EXISTS (SELECT FROM public.tenants WHERE lower(email) = lower(who.email) AND id <> wanted);
  -- Sign-ins of this record only.
  sole := ARRAY(SELECT user_id FROM public.user_tenants GROUP BY user_id HAVING bool_and(tenant_id = wanted));

  RETURN QUERY SELECT 'Delete at the gateway: ' || customer FROM public.gateway_customers WHERE tenant_id = wanted;
  DELETE FROM public.gateway_customers WHERE tenant_id = wanted;
  -- The server removes the files of photos that have no row.
  INSERT INTO pgboss.job (name, data, retry_limit, policy)
    SELECT 'sweep-file', jsonb_build_object('key', file_key), 40, 'standard' FROM public.images WHERE tenant_id = wanted
    UNION ALL SELECT 'sweep-file', jsonb_build_object('key', file_key), 40, 'standard' FROM public.vehicle_papers
      WHERE ledger_id = ANY (owned)
    UNION ALL SELECT 'sweep-file', jsonb_build_object('key', file_key), 40, 'standard' FROM public.esign_documents
      WHERE ledger_id = ANY (owned) AND file_key IS NOT NULL
    UNION ALL SELECT 'sweep-file', jsonb_build_object('key', pdf_key), 40, 'standard' FROM public.esign_documents
      WHERE ledger_id = ANY (owned) AND pdf_key IS NOT NULL;
  DELETE FROM public.requests WHERE tenant_id = wanted;
  DELETE FROM public.images WHERE tenant_id = wanted;
  DELETE FROM public.tenant_changes WHERE tenant_id = wanted;
  DELETE FROM public.reminder_stops WHERE tenant_id = wanted;
  UPDATE public.mails SET to_address = placeholder, text_body = '', html_body = '', blocks = NULL
    WHERE tenant_id = wanted AND lower(to_address) = (SELECT lower(email) FROM public.estates WHERE tenant_id = wanted);
  DELETE FROM public.estates WHERE tenant_id = wanted;
  DELETE FROM public.late_letters WHERE tenant_id = wanted;
  -- What was agreed to, and its end, stays for its time, as a mandate does.
  DELETE FROM public.text_codes WHERE tenant_id = wanted;
  DELETE FROM public.texts WHERE tenant_id = wanted;
  DELETE FROM public.imported_tenants WHERE tenant_id = wanted;
  DELETE FROM public.authorized_persons WHERE ledger_id = ANY (owned);
  DELETE FROM public.gate_codes WHERE ledger_id = ANY (owned);
  DELETE FROM public.vehicle_papers WHERE ledger_id = ANY (owned);
  DELETE FROM public.vehicles WHERE ledger_id = ANY (owned);
  DELETE FROM public.further_vehicles WHERE ledger_id = ANY (owned);
  DELETE FROM public.unit_contents WHERE ledger_id = ANY (owned);
  DELETE FROM public.unit_contents_changes WHERE ledger_id = ANY (owned);
  DELETE FROM public.private_policies WHERE ledger_id = ANY (owned);
  DELETE FROM public.document_events e USING public.esign_documents d WHERE d.id = e.document_id AND d.ledger_id = ANY (owned);
  DELETE FROM public.document_signers s USING public.esign_documents d WHERE d.id = s.document_id AND d.ledger_id = ANY (owned);
  DELETE FROM public.esign_documents WHERE ledger_id = ANY (owned);
  DELETE FROM public.autopays WHERE ledger_id = ANY (owned);
  -- The mandate keeps what was agreed, with the last four; a token is worth nothing once its customer is deleted at the gateway.
  DELETE FROM public.card_warnings WHERE payment_method_id IN (SELECT id FROM public.payment_methods WHERE tenant_id = wanted);
  UPDATE public.payment_methods SET holder_name = NULL, street_address = NULL, postal_code = NULL, fingerprint = NULL
    WHERE tenant_id = wanted;
  -- Without its token's version a payment is given no fingerprint again.
  UPDATE public.payment_intents SET fingerprint = NULL, method_expires_on = NULL, token_version = NULL WHERE tenant_id = wanted;
  UPDATE public.tenants SET company = NULL, tags = '{}', do_not_rent = NULL, tax_exempt_paper = NULL, first_name = 'Forgotten', last_name = 'Tenant', email = placeholder, street1 = '-', city = '-',
    postal_code = '-' WHERE id = wanted;
  -- Whatever else is known of the tenant: every column that may be empty.
  EXECUTE (SELECT format('UPDATE public.tenants SET %s WHERE id = $1', string_agg(format('%I = NULL', attname), ', '))
    FROM pg_attribute WHERE attrelid = 'public.tenants'::regclass AND attnum > 0 AND NOT attnotnull AND NOT attisdropped AND attgenerated = '')
    USING wanted;
  DELETE FROM public.sessions WHERE user_id = ANY (sole);
  DELETE FROM public.passkeys WHERE user_id = ANY (sole);
  DELETE FROM public.user_tenants WHERE tenant_id = wanted;
  UPDATE public.users SET email = placeholder, password_hash = 'none', disabled_at = now() WHERE id = ANY (sole);
  IF NOT is_shared THEN
    UPDATE public.mails SET to_address = placeholder, text_body = '', html_body = '', blocks = NULL WHERE lower(to_address) = lower(who.email);
  END IF;
  RETURN NEXT 'Forgotten. The books keep ' || cardinality(owned) || ' ledgers under a record without a name.';
END
$$;
SELECT pg_temp.forget(:'tenant');
COMMIT;
