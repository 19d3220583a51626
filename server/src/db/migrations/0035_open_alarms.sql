-- A trouble that comes back after its alarm was closed has another alarm.
ALTER TABLE alarms DROP CONSTRAINT alarms_key_key;
CREATE UNIQUE INDEX one_open_alarm ON alarms (key) WHERE closed_at IS NULL;
CREATE INDEX ON alarms (key);
GRANT SELECT (closed_at) ON alarms TO gatehouse_app;
