-- The bodies of mails are sealed, and each start looks for those that are not under the first key (db/seal.ts).
DROP INDEX CONCURRENTLY IF EXISTS mails_by_seal_of_text;
CREATE INDEX CONCURRENTLY mails_by_seal_of_text ON mails (left(text_body, 26)) WHERE text_body <> '';

DROP INDEX CONCURRENTLY IF EXISTS mails_by_seal_of_html;
CREATE INDEX CONCURRENTLY mails_by_seal_of_html ON mails (left(html_body, 26)) WHERE html_body <> '';
