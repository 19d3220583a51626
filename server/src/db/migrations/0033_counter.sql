-- A payment that bounced or was recorded by mistake is taken back once.
CREATE UNIQUE INDEX one_reversal_at_the_counter ON reversals (payment_entry_id) WHERE reason IN ('nsf', 'mistake');

-- Staff make tenant records, and change the address of one: whoever signed in with the old one loses the record.
GRANT INSERT, UPDATE (email) ON tenants TO gatehouse_work;
GRANT DELETE ON user_tenants TO gatehouse_work;
