-- The least that a tenant may pay of a unit's balance in the portal; the whole balance is always taken.
ALTER TABLE facilities ADD COLUMN least_payment_cents bigint NOT NULL DEFAULT 100 CHECK (least_payment_cents > 0);
COMMENT ON COLUMN facilities.least_payment_cents IS 'the least part of a unit''s balance that a tenant may pay';
