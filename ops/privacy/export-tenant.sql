-- psql -At -v tenant=<id of the tenant record> -f export-tenant.sql: everything that is kept of it, as one JSON text. Every table that
-- names a tenant record or a ledger is in it, those of later versions too.
\set QUIET on
\set ON_ERROR_STOP on
CREATE FUNCTION pg_temp.everything_of(wanted uuid) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
  owned uuid[] := ARRAY(SELECT id FROM public.ledgers WHERE tenant_id = wanted);
  place record;
  found jsonb;
  everything jsonb;
BEGIN
  SELECT jsonb_build_object('tenant', to_jsonb(t)) INTO everything FROM public.tenants t WHERE id = wanted;
  IF everything IS NULL THEN
    RAISE EXCEPTION 'There is no tenant record %.', wanted;
  END IF;
  FOR place IN
    SELECT c.table_name AS name, bool_or(c.column_name = 'tenant_id') AS by_tenant
    FROM information_schema.columns c JOIN information_schema.tables t USING (table_schema, table_name)
    WHERE c.table_schema = 'public' AND t.table_type = 'BASE TABLE' AND c.column_name IN ('tenant_id', 'ledger_id')
    GROUP BY 1 ORDER BY 1
  LOOP
    IF place.by_tenant THEN
      EXECUTE format('SELECT jsonb_agg(to_jsonb(t)) FROM public.%I t WHERE tenant_id = $1', place.name) INTO found USING wanted;
    ELSE
      EXECUTE format('SELECT jsonb_agg(to_jsonb(t)) FROM public.%I t WHERE ledger_id = ANY ($1)', place.name) INTO found USING owned;
    END IF;
    IF found IS NOT NULL THEN
      everything := everything || jsonb_build_object(place.name, found);
    END IF;
  END LOOP;
  RETURN everything
    || jsonb_build_object('users', (SELECT coalesce(jsonb_agg(jsonb_build_object('email', u.email, 'created_at', u.created_at)), '[]')
      FROM public.users u JOIN public.user_tenants ut ON ut.user_id = u.id WHERE ut.tenant_id = wanted))
    || jsonb_build_object('mails', (SELECT coalesce(jsonb_agg(jsonb_build_object('subject', m.subject, 'text', m.text_body,
        'created_at', m.created_at, 'sent_at', m.sent_at)), '[]')
      FROM public.mails m WHERE lower(m.to_address) = lower(everything #>> '{tenant,email}')));
END
$$;
SELECT jsonb_pretty(pg_temp.everything_of(:'tenant'));
