-- Units that staff add, price and take out of service in the office.
ALTER TABLE units
  ADD COLUMN street_rate_cents bigint CHECK (street_rate_cents > 0),
  ADD COLUMN out_of_service text CHECK (length(out_of_service) BETWEEN 1 AND 500);
COMMENT ON COLUMN units.street_rate_cents IS
  'what a move-in is offered for; null: the rent of the last rental';
COMMENT ON COLUMN units.out_of_service IS 'why nobody can rent it; null where it can be let';
GRANT INSERT, UPDATE (street_rate_cents, out_of_service) ON units TO gatehouse_work;
