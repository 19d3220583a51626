-- What staff need for move-ins and move-outs.
ALTER TABLE facilities
  ADD COLUMN deposit_cents bigint NOT NULL DEFAULT 0 CHECK (deposit_cents >= 0),
  ADD COLUMN move_out_proration boolean NOT NULL DEFAULT false,
  ADD COLUMN gate_grace_days integer NOT NULL DEFAULT 0 CHECK (gate_grace_days >= 0),
  ADD COLUMN gate_least_cents bigint NOT NULL DEFAULT 1 CHECK (gate_least_cents > 0);
COMMENT ON COLUMN facilities.deposit_cents IS 'charged at a move-in and given back at the move-out; 0 is off';
COMMENT ON COLUMN facilities.move_out_proration IS 'whether rent of the days after a move-out is given back';

-- A move-out that staff have entered, and when its settlement was posted: once, by whoever comes first. A move-out without a
-- row came with an import, and was settled where it came from.
CREATE TABLE move_outs (
  ledger_id uuid PRIMARY KEY REFERENCES ledgers,
  credit text NOT NULL CHECK (credit IN ('refund', 'keep')),
  planned_at timestamptz NOT NULL,
  settled_at timestamptz
);
COMMENT ON COLUMN move_outs.credit IS 'what becomes of a credit: it goes back through the gateway, or stays on the ledger';
CREATE INDEX move_outs_planned ON move_outs (ledger_id) WHERE settled_at IS NULL;
GRANT SELECT, INSERT, UPDATE, DELETE ON move_outs TO gatehouse_work;

GRANT INSERT ON ledgers, gate_codes TO gatehouse_work;
GRANT UPDATE (moved_out_on) ON ledgers TO gatehouse_work;
