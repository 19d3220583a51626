-- What the sender of mails decides by (docs/architecture.md, "How a mail goes out"). A mail of an earlier release has no kind
-- and is sent as it is; an earlier release's sender has no job for a mail that is held. Ids reference no rows, so that
-- queueing a mail waits for no lock on them.
ALTER TABLE mails
  ADD COLUMN kind text,
  ADD COLUMN about text NOT NULL DEFAULT '',
  ADD COLUMN tenant_id uuid,
  ADD COLUMN blocks text,
  ADD COLUMN held_until timestamptz,
  ADD COLUMN decided_at timestamptz,
  ADD COLUMN merged_into uuid,
  ADD COLUMN is_dropped boolean NOT NULL DEFAULT false;
COMMENT ON COLUMN mails.about IS 'what mails of a kind must share to be merged, such as the facility of a message to staff';
COMMENT ON COLUMN mails.tenant_id IS 'the tenant record of whose budget it is';
COMMENT ON COLUMN mails.blocks IS 'the content before rendering, as sealed JSON, until it is decided whether the mail is merged';
COMMENT ON COLUMN mails.held_until IS 'when the sender decides about it again';
COMMENT ON COLUMN mails.decided_at IS 'when it was decided that it is sent, merged or dropped';
COMMENT ON COLUMN mails.merged_into IS 'the mail that it is part of; it counts as sent, and that one is sent like any other';

GRANT UPDATE (blocks, held_until, decided_at, merged_into, is_dropped) ON mails TO gatehouse_work;
