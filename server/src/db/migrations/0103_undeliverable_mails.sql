-- A mail that the mail server refuses for good, or for as long as it is tried, is given up: it is
-- not sent (is_dropped), with why. A server of the version before skips it as one that was dropped.
ALTER TABLE mails ADD COLUMN failing_since timestamptz, ADD COLUMN fault text;
COMMENT ON COLUMN mails.failing_since IS 'the first try that failed';
COMMENT ON COLUMN mails.fault IS 'why it was given up: the command and the reply code, such as RCPT TO 550 5.1.1';
GRANT UPDATE (failing_since, fault) ON mails TO gatehouse_work;
