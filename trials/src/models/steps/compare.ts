import { isDeepStrictEqual } from 'node:util';
import { isCaptured } from '../../harness/simulator/fake-gateway.ts';
import type { Expected, Sequence } from './step.ts';
import { noteForYears, usesOf } from './years.ts';

type Found = {
  ledgerId: string;
  balance: number;
  paidThrough: string;
  billedThrough: string;
  movedOutOn: string | null;
  isOverlocked: boolean;
  unitName: string;
  rate: number;
  sum: number;
  /** A digest of the entries that were known before, and one of all. */
  old: string | null;
  all: string | null;
  fresh: {
    id: string;
    kind: Expected['kind'];
    cents: number;
    position: number;
    receipt: string | null;
    day: string;
    of: string | null;
  }[];
  owed: Record<string, number>;
  unused: Record<string, number>;
  waivers: Record<string, [number, number]>;
  posted: { intents: number; cents: number };
  alarms: Sequence['alarms'];
};

const total = 'c.price_cents - c.discount_cents + c.tax1_cents + c.tax2_cents';
const digest =
  "md5(string_agg(e.id || e.kind || e.amount_cents || e.posted_on || e.created_at, ',' ORDER BY e.position)";

/** What the tables say, summed from the rows themselves and not from the server's views. */
const LOOK = `
  SELECT l.id AS "ledgerId", l.balance_cents AS balance, l.paid_through AS "paidThrough",
    l.billed_through AS "billedThrough", l.moved_out_on AS "movedOutOn", l.overlocked_at IS NOT NULL AS "isOverlocked",
    (SELECT u.name FROM units u WHERE u.id = l.unit_id) AS "unitName", l.rental_rate_cents AS rate,
    mine.sum, mine.old, mine.all, mine.fresh,
    (SELECT coalesce(json_object_agg(o.id, o.cents) FILTER (WHERE o.cents <> 0), '{}') FROM (
      SELECT c.entry_id AS id, ${total} - coalesce(
        (SELECT sum(a.amount_cents) FROM allocations a WHERE a.charge_entry_id = c.entry_id), 0)::bigint AS cents
      FROM charges c WHERE c.ledger_id = l.id) o) AS owed,
    (SELECT coalesce(json_object_agg(o.id, o.cents) FILTER (WHERE o.cents <> 0), '{}') FROM (
      SELECT e.id, -e.amount_cents
        - coalesce((SELECT sum(a.amount_cents) FROM allocations a WHERE a.credit_entry_id = e.id), 0)::bigint
        - coalesce((SELECT sum(b.amount_cents) FROM reversals r JOIN entries b ON b.id = r.entry_id
            WHERE r.payment_entry_id = e.id), 0)::bigint AS cents
      FROM entries e WHERE e.ledger_id = l.id AND e.amount_cents < 0) o) AS unused,
    (SELECT coalesce(json_object_agg(w.entry_id, json_build_array(w.tax1_cents, w.tax2_cents)), '{}')
      FROM credits w WHERE w.ledger_id = l.id AND w.charge_entry_id IS NOT NULL) AS waivers,
    (SELECT json_build_object('intents', count(DISTINCT p.intent_id), 'cents', coalesce(-sum(e.amount_cents), 0))
      FROM payments p JOIN entries e ON e.id = p.entry_id JOIN payment_intents i ON i.id = p.intent_id
      WHERE p.ledger_id = ANY($1::uuid[]) AND i.initiator IN ('tenant', 'autopay')) AS posted,
    (SELECT coalesce(json_agg(json_build_object('id', a.id, 'isClosed', a.closed_at IS NOT NULL) ORDER BY a.raised_at, a.id), '[]')
      FROM alarms a WHERE a.facility_id = $3) AS alarms
  FROM ledgers l, LATERAL (
    SELECT coalesce(sum(e.amount_cents), 0)::bigint AS sum,
      ${digest} FILTER (WHERE e.position <= $2)) AS old, ${digest}) AS all,
      coalesce(json_agg(json_build_object('id', e.id, 'kind', e.kind, 'cents', e.amount_cents, 'position', e.position, 'day', e.posted_on,
        'receipt', (SELECT p.receipt_number FROM payments p WHERE p.entry_id = e.id),
        'of', coalesce((SELECT r.payment_entry_id FROM reversals r WHERE r.entry_id = e.id),
          (SELECT w.charge_entry_id FROM credits w WHERE w.entry_id = e.id)))
        ORDER BY e.position) FILTER (WHERE e.position > $2), '[]') AS fresh
    FROM entries e WHERE e.ledger_id = l.id) mine
  WHERE l.id = ANY($1::uuid[])`;

/**
 * Enters in the model what the step should have added, and compares all books with it. Answers the
 * first sentence that does not hold.
 */
export async function compare(sequence: Sequence, expected: Expected[]): Promise<string | null> {
  const { session, accounts, gateway } = sequence;
  const { rows } = await session.run(LOOK, [
    accounts.map(({ ledgerId }) => ledgerId),
    sequence.mark,
    sequence.world.facilityId,
  ]);
  const found = rows as Found[]; // as LOOK names them
  for (const account of accounts) {
    const { model, ledgerId } = account;
    const books = found.find((one) => one.ledgerId === ledgerId)!;
    const due = expected.filter((one) => one.account === account);
    const unmatched = [...due];
    for (const entry of books.fresh) {
      const place = unmatched.findIndex(
        ({ kind, cents, of }) =>
          kind === entry.kind && cents === entry.cents && (of ?? null) === entry.of,
      );
      if (place === -1) return `entries: expected ${listed(due)}, found ${listed(books.fresh)}`;
      const before = usesOf(model);
      sequence.postedOn.set(entry.id, entry.day);
      unmatched.splice(place, 1)[0]!.enter(entry);
      if (entry === books.fresh.at(-1)) model.settle();
      noteForYears(sequence, account, entry, before);
    }
    if (unmatched.length > 0)
      return `entries: expected ${listed(due)}, found ${listed(books.fresh)}`;
    const waivers = model.credits.flatMap(({ id, kind, tax1, tax2 }) =>
      kind === 'waiver' ? [[id, [tax1, tax2]]] : [],
    );
    const fault =
      isOf('I1 balance', model.balance, books.balance) ??
      isOf('I1 sum of the entries', model.balance, books.sum) ??
      isOf('I1 what is owed on each charge', sorted(model.open), sorted(books.owed)) ??
      isOf('I4 what is left of each credit', sorted(model.openCredits), sorted(books.unused)) ??
      isOf('the taxes in each waiver', Object.fromEntries(waivers), books.waivers) ??
      isOf('paid through', model.paidThrough, books.paidThrough) ??
      isOf('billed through', model.billedThrough, books.billedThrough) ??
      isOf('moved out on', account.movedOutOn, books.movedOutOn) ??
      isOf('unit', account.unitName, books.unitName) ??
      isOf('rate', account.terms.rateCents, books.rate) ??
      isOf('locked by hand', account.isOverlocked, books.isOverlocked) ??
      isOf('I3 the entries before', sequence.known.get(ledgerId) ?? null, books.old);
    if (fault !== null) return fault;
    if (books.balance < 0 && Object.keys(books.unused).length === 0)
      return 'I4 below zero without a credit';
  }
  const captured = [...gateway.charged.values()].filter(
    (one) => isCaptured(one) || one.standing.outcome === 'returned',
  );
  const cents = captured.reduce((sum, one) => sum + one.cents, 0);
  const { posted } = found[0]!;
  if (posted.intents !== captured.length || posted.cents !== cents)
    return `I2: captured ${captured.length} payments of ${cents}, posted ${posted.intents} of ${posted.cents}`;
  sequence.alarms = found[0]!.alarms;
  const closed = sequence.alarms.filter(({ isClosed }) => isClosed).map(({ id }) => id);
  const fault = isOf('closed alarms', [...sequence.closedAlarms].toSorted(), closed.toSorted());
  if (fault !== null) return fault;
  sequence.mark = Math.max(
    sequence.mark,
    ...found.flatMap(({ fresh }) => fresh.map(({ position }) => position)),
  );
  for (const { ledgerId, all } of found) sequence.known.set(ledgerId, all);
  return null;
}

function listed(entries: { kind: string; cents: number }[]): string {
  return entries.map(({ kind, cents }) => `${kind} ${cents}`).join(', ') || 'none';
}

function isOf(what: string, wanted: unknown, is: unknown): string | null {
  return isDeepStrictEqual(wanted, is)
    ? null
    : `${what}: expected ${JSON.stringify(wanted)}, found ${JSON.stringify(is)}`;
}

function sorted(record: Record<string, number>): [string, number][] {
  return Object.entries(record).sort(([a], [b]) => a.localeCompare(b));
}
