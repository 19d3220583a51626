-- Whether the portal offers tenants to pay a part of what is owed, and to pay bills before they are due.
ALTER TABLE facilities
  ADD COLUMN part_payments boolean NOT NULL DEFAULT false,
  ADD COLUMN pay_ahead boolean NOT NULL DEFAULT false;
GRANT UPDATE (part_payments, pay_ahead) ON facilities TO gatehouse_work;
