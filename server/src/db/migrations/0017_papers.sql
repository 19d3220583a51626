ALTER TABLE facilities ADD COLUMN payment_days_back integer NOT NULL DEFAULT 7
  CHECK (payment_days_back BETWEEN 0 AND 31);
COMMENT ON COLUMN facilities.payment_days_back IS
  'how many days before today a payment over the counter may have come';
GRANT UPDATE (payment_days_back) ON facilities TO gatehouse_work;
