-- A payment that bounced or was recorded by mistake is taken back once.
CREATE UNIQUE INDEX one_reversal_at_the_counter ON reversals (payment_entry_id) WHERE reason IN ('nsf', 'mistake');

-- Staff make tenant records, and change the address of one: whoever signed in with the old one loses the record.
GRANT INSERT, UPDATE (email) ON tenants TO gatehouse_work;
GRANT DELETE ON user_tenants TO gatehouse_work;

-- A trouble that comes back after its alarm was closed has another alarm.
ALTER TABLE alarms DROP CONSTRAINT alarms_key_key;
CREATE UNIQUE INDEX one_open_alarm ON alarms (key) WHERE closed_at IS NULL;
CREATE INDEX ON alarms (key);
GRANT SELECT (closed_at) ON alarms TO gatehouse_app;
