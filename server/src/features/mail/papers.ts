import { sql } from 'kysely';
import type { PaperRef } from '#features/papers/papers.ts';

/**
 * The attachments of the mail `m`, in their order: its own, and those of the mails that were merged
 * into it. A receipt comes with those of the other rentals that its payment paid for.
 */
export const papersOfMail = sql<PaperRef[]>`(
  SELECT coalesce(json_agg(json_build_object('kind', p.paper_kind, 'id', coalesce(r.entry_id, p.paper_id))
    ORDER BY p.position, e.position), '[]')
  FROM mails p
  LEFT JOIN payments one ON p.paper_kind = 'receipt' AND one.entry_id = p.paper_id
  LEFT JOIN payments r ON r.intent_id = one.intent_id
  LEFT JOIN entries e ON e.id = r.entry_id
  WHERE (p.id = m.id OR p.merged_into = m.id) AND p.paper_id IS NOT NULL)`;
