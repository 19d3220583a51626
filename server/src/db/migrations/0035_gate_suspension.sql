-- A lock by hand, beside the one for what is owed and apart from is_on_hold, which stops autopay.
ALTER TABLE ledgers ADD COLUMN overlocked_at timestamptz;
COMMENT ON COLUMN ledgers.overlocked_at IS 'staff have locked the unit: no code, also at a balance of 0';
GRANT UPDATE (overlocked_at) ON ledgers TO gatehouse_work;

COMMENT ON COLUMN facilities.gate_grace_days IS 'a unit is suspended so many days after the due date of what it owes; 0 is at once';
COMMENT ON COLUMN facilities.gate_least_cents IS 'a unit is suspended from this sum owed on';

-- Whether the gate is suspended and the code withheld on a day: locked by hand, or owing as much and for as long as the
-- facility says. With the defaults, 0 days and 1 cent, that is anything owed (specification, section 4).
CREATE FUNCTION is_gate_suspended(balance_cents bigint, owed_since date, overlocked_at timestamptz, grace_days integer,
  least_cents bigint, day date) RETURNS boolean IMMUTABLE PARALLEL SAFE LANGUAGE sql
  RETURN overlocked_at IS NOT NULL
    OR (balance_cents >= least_cents AND (grace_days = 0 OR owed_since IS NULL OR day - owed_since >= grace_days));
COMMENT ON FUNCTION is_gate_suspended IS 'as isSuspended of features/gate-access/suspension.ts';
