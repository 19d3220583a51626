-- What is in reach of the office, in one step for each table: a policy that went through the policies of other tables made
-- plans of hundreds of parts. These views read as their owner, whom no policy limits, and give ids alone.
CREATE VIEW office_tenants AS
  SELECT t.id FROM tenants t WHERE t.facility_id = ANY ((SELECT office_facilities())::uuid[]);
CREATE VIEW office_ledgers AS
  SELECT l.id FROM ledgers l JOIN tenants t ON t.id = l.tenant_id
  WHERE t.facility_id = ANY ((SELECT office_facilities())::uuid[]);
CREATE VIEW office_entries AS
  SELECT e.id FROM entries e JOIN ledgers l ON l.id = e.ledger_id JOIN tenants t ON t.id = l.tenant_id
  WHERE t.facility_id = ANY ((SELECT office_facilities())::uuid[]);
CREATE VIEW office_intents AS
  SELECT i.id FROM payment_intents i JOIN tenants t ON t.id = i.tenant_id
  WHERE t.facility_id = ANY ((SELECT office_facilities())::uuid[]);
GRANT SELECT ON office_tenants, office_ledgers, office_entries, office_intents TO gatehouse_office;

DO $$
DECLARE
  walls text[][] := ARRAY[
    ['user_tenants', 'office_tenants', 'tenant_id'],
    ['ledgers', 'office_tenants', 'tenant_id'],
    ['images', 'office_tenants', 'tenant_id'],
    ['payment_methods', 'office_tenants', 'tenant_id'],
    ['statements', 'office_tenants', 'tenant_id'],
    ['tenant_notes', 'office_tenants', 'tenant_id'],
    ['payment_intents', 'office_tenants', 'tenant_id'],
    ['vehicles', 'office_ledgers', 'ledger_id'],
    ['ledger_protection_plans', 'office_ledgers', 'ledger_id'],
    ['private_policies', 'office_ledgers', 'ledger_id'],
    ['entries', 'office_ledgers', 'ledger_id'],
    ['owed_charges', 'office_ledgers', 'ledger_id'],
    ['charges', 'office_ledgers', 'ledger_id'],
    ['payments', 'office_ledgers', 'ledger_id'],
    ['reversals', 'office_ledgers', 'ledger_id'],
    ['credits', 'office_ledgers', 'ledger_id'],
    ['payment_intent_ledgers', 'office_ledgers', 'ledger_id'],
    ['billed_periods', 'office_ledgers', 'ledger_id'],
    ['rate_notices', 'office_ledgers', 'ledger_id'],
    ['rate_changes', 'office_ledgers', 'ledger_id'],
    ['autopays', 'office_ledgers', 'ledger_id'],
    ['mandates', 'office_ledgers', 'ledger_id'],
    ['past_units', 'office_ledgers', 'ledger_id'],
    ['move_outs', 'office_ledgers', 'ledger_id'],
    ['allocations', 'office_entries', 'charge_entry_id'],
    ['refund_parts', 'office_entries', 'reversal_entry_id'],
    ['dispute_parts', 'office_entries', 'reversal_entry_id'],
    ['refunds', 'office_intents', 'intent_id'],
    ['disputes', 'office_intents', 'intent_id'],
    ['payout_payments', 'office_intents', 'intent_id']
  ];
BEGIN
  FOR place IN 1 .. array_length(walls, 1) LOOP
    EXECUTE format('ALTER POLICY office ON %I USING ((SELECT office_is_all()) OR EXISTS (SELECT FROM %I reach WHERE reach.id = %I))',
      walls[place][1], walls[place][2], walls[place][3]);
  END LOOP;
END $$;
