-- A rental may have a protection plan and proof of private insurance at once: private insurance can be updated while a
-- plan is active (spec section 5). What was given stays: a later policy marks the earlier one as replaced.

CREATE TABLE ledger_protection_plans (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  ledger_id uuid NOT NULL REFERENCES ledgers,
  protection_plan_id uuid NOT NULL REFERENCES protection_plans,
  starts_on date NOT NULL,
  ends_on date,
  user_id uuid REFERENCES users,
  created_at timestamptz NOT NULL DEFAULT now(),
  CHECK (ends_on >= starts_on)
);
CREATE UNIQUE INDEX one_protection_plan ON ledger_protection_plans (ledger_id) WHERE ends_on IS NULL;
CREATE INDEX ON ledger_protection_plans (ledger_id);
COMMENT ON COLUMN ledger_protection_plans.user_id IS 'the sign-in that added it; null for the facility''s staff';

CREATE TABLE private_policies (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  ledger_id uuid NOT NULL REFERENCES ledgers,
  company text NOT NULL,
  policy_number text NOT NULL,
  coverage_cents bigint CHECK (coverage_cents > 0),
  starts_on date NOT NULL,
  ends_on date,
  user_id uuid REFERENCES users,
  created_at timestamptz NOT NULL DEFAULT now(),
  replaced_at timestamptz
);
CREATE UNIQUE INDEX one_private_policy ON private_policies (ledger_id) WHERE replaced_at IS NULL;
CREATE INDEX ON private_policies (ledger_id);
COMMENT ON COLUMN private_policies.ends_on IS 'the last day of the policy, by the facility''s calendar';
COMMENT ON COLUMN private_policies.user_id IS 'the sign-in that gave it; null for the facility''s staff';

INSERT INTO ledger_protection_plans (ledger_id, protection_plan_id, starts_on, ends_on)
  SELECT ledger_id, protection_plan_id, starts_on, ends_on FROM ledger_insurance WHERE protection_plan_id IS NOT NULL;
INSERT INTO private_policies (ledger_id, company, policy_number, coverage_cents, starts_on, ends_on)
  SELECT ledger_id, coalesce(policy_company, ''), policy_number, coverage_cents, starts_on, ends_on
  FROM ledger_insurance WHERE protection_plan_id IS NULL;
DROP TABLE ledger_insurance;

GRANT SELECT, INSERT ON ledger_protection_plans, private_policies TO gatehouse_app;
GRANT UPDATE (replaced_at) ON private_policies TO gatehouse_app;
