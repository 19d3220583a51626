import { sql } from 'kysely';
import { MOST_RECEIPTS } from '#emails/receipt.ts';
import type { PaperRef } from '#features/base/papers/papers.ts';

/**
 * The attachments of the mail `m`, in their order: its own, and those of the mails that were merged
 * into it. A receipt comes with those of the other rentals that its payment paid for, as far as one
 * mail takes them.
 */
export const papersOfMail = sql<PaperRef[]>`(
  SELECT coalesce(json_agg(json_build_object('kind', p.paper_kind, 'id', coalesce(r.entry_id, p.paper_id))
    ORDER BY p.position, r.position), '[]')
  FROM mails p
  LEFT JOIN payments one ON p.paper_kind = 'receipt' AND one.entry_id = p.paper_id
  LEFT JOIN LATERAL (
    SELECT e.id AS entry_id, e.position FROM payments JOIN entries e ON e.id = payments.entry_id
    WHERE payments.intent_id = one.intent_id
    ORDER BY e.position LIMIT ${sql.lit(MOST_RECEIPTS)}) r ON true
  WHERE (p.id = m.id OR p.merged_into = m.id) AND p.paper_id IS NOT NULL)`;
