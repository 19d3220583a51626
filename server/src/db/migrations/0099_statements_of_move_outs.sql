-- What the settlement of a move-out came to, as the final statement says it, so that staff can print it.
ALTER TABLE move_outs ADD COLUMN statement jsonb;
COMMENT ON COLUMN move_outs.statement IS 'the sums of the final statement in cents, as it was mailed';

-- Those that were settled before: their waivers were posted in the instant of the settlement.
UPDATE move_outs m SET statement = jsonb_build_object('beforeCents', through.cents - given.cents, 'lines', given.lines,
  'balanceCents', through.cents, 'refundedCents', back.cents,
  'byHandCents', CASE WHEN m.credit = 'refund' THEN greatest(0, -through.cents) - back.cents ELSE 0 END)
FROM move_outs settled
CROSS JOIN LATERAL (
  SELECT coalesce(sum(e.amount_cents), 0)::bigint AS cents,
    coalesce(jsonb_agg(jsonb_build_object('description', c.description, 'cents', e.amount_cents) ORDER BY e.position), '[]')
      AS lines
  FROM credits c JOIN entries e ON e.id = c.entry_id
  WHERE c.ledger_id = settled.ledger_id AND c.charge_entry_id IS NOT NULL AND e.created_at = settled.settled_at
) given
CROSS JOIN LATERAL (
  SELECT coalesce(sum(e.amount_cents), 0)::bigint AS cents FROM entries e
  WHERE e.ledger_id = settled.ledger_id AND e.created_at <= settled.settled_at
) through
CROSS JOIN LATERAL (
  SELECT coalesce(sum(r.amount_cents), 0)::bigint AS cents FROM refunds r JOIN payments p ON p.entry_id = r.payment_entry_id
  WHERE p.ledger_id = settled.ledger_id AND r.reason LIKE 'move-out of unit %'
) back
WHERE settled.ledger_id = m.ledger_id AND m.settled_at IS NOT NULL;
