-- The patience with a mail is that with its fault of now: one that could be sent nowhere for a day
-- has not been refused for a day. An alarm about the provider of texts counts from the first
-- failed try, not from when the text was queued.
ALTER TABLE mails ADD COLUMN failing_as text;
COMMENT ON COLUMN mails.failing_since IS 'the first try that failed in the way of failing_as';
COMMENT ON COLUMN mails.failing_as IS 'whose fault the last failure is; null for none of the mail server';
ALTER TABLE texts ADD COLUMN failing_since timestamptz;
COMMENT ON COLUMN texts.failing_since IS 'the first try that failed';
GRANT UPDATE (failing_as) ON mails TO gatehouse_work;
GRANT UPDATE (failing_since) ON texts TO gatehouse_work;
