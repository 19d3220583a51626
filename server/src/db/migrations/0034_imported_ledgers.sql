-- What the operator's files said of a rental when they were last taken over (docs/import.md), so that an old file says nothing
-- new. Out of reach for those who serve, as external_ids.
CREATE TABLE imported_ledgers (
  ledger_id uuid PRIMARY KEY REFERENCES ledgers,
  rental_rate_cents bigint NOT NULL,
  scheduled_rate_cents bigint,
  scheduled_rate_on date,
  balance_cents bigint NOT NULL
);
