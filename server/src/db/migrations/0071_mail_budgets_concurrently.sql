-- The sender looks every minute for mails that were held until then, for the others that go with one, and for their parts.
DROP INDEX CONCURRENTLY IF EXISTS mails_held;
CREATE INDEX CONCURRENTLY mails_held ON mails (held_until) WHERE held_until IS NOT NULL AND decided_at IS NULL;
DROP INDEX CONCURRENTLY IF EXISTS mails_held_alike;
CREATE INDEX CONCURRENTLY mails_held_alike ON mails (lower(to_address), kind, about)
  WHERE held_until IS NOT NULL AND decided_at IS NULL;
DROP INDEX CONCURRENTLY IF EXISTS mails_merged_into;
CREATE INDEX CONCURRENTLY mails_merged_into ON mails (merged_into) WHERE merged_into IS NOT NULL;
-- As those of 0068.
DROP INDEX CONCURRENTLY IF EXISTS mails_by_seal_of_blocks;
CREATE INDEX CONCURRENTLY mails_by_seal_of_blocks ON mails (left(blocks, 26)) WHERE blocks <> '';
