import { isDeepStrictEqual } from 'node:util';
import type { OfficeVerbName } from '@gatehouse/contract/office/verbs';
import type { Database } from '@gatehouse/server/src/db/database.ts';
import { sql } from 'kysely';
import { mustBe, type Figure } from './proof.ts';
import type { ChargeLine } from './simulator/journal.ts';
import type { StaffAnswer, VerbReply } from './staff.ts';

/**
 * Counts staff actions that were lost or doubled: each ledger's balance must be what it owed, less
 * what the gateway captured, with each acknowledged staff action once. `owed` has the cents of each
 * ledger before all of them, `captures` what the gateway took since, with the ledger of each.
 */
export async function checkStaffActions(
  owner: Database,
  answers: StaffAnswer[],
  owed: ReadonlyMap<string, number>,
  captures: (ChargeLine & { ledgerId: string })[],
): Promise<Figure[]> {
  const done = answers.filter(({ status }) => status === 200);
  const byKey = Map.groupBy(done, ({ key }) => key);
  const { rows: actions } = await sql<{ key: string; answer: unknown }>`
    SELECT key, answer FROM staff_actions`.execute(owner);
  const stored = new Map(actions.map(({ key, answer }) => [key, answer]));
  const expected = new Map(owed);
  const add = (ledgerId: string, cents: number) =>
    expected.set(ledgerId, (expected.get(ledgerId) ?? 0) + cents);
  for (const { ledgerId, amountCents } of captures) add(ledgerId, -amountCents);
  for (const [{ name, reply }] of [...byKey.values()] as [StaffAnswer, ...StaffAnswer[]][])
    for (const [ledgerId, cents] of effectOf(name, reply!)) add(ledgerId, cents);
  const { rows: ledgers } = await sql<{ id: string; cents: number; lines: number[] }>`
    SELECT l.id, l.balance_cents::int AS cents, array_agg(line.cents::int) AS lines
    FROM ledgers l JOIN LATERAL (
      SELECT sum(amount_cents) OVER (ORDER BY position) AS cents FROM entries WHERE ledger_id = l.id
    ) line ON true GROUP BY l.id`.execute(owner);
  const byId = new Map(ledgers.map((ledger) => [ledger.id, ledger]));
  const unread = done.filter(({ reply }) =>
    reply!.ledgers.some(
      ({ ledgerId, balance }) => !byId.get(ledgerId)!.lines.includes(centsOf(balance)),
    ),
  );
  return [
    mustBe(
      'staff actions acknowledged and not kept (lost)',
      done.filter(({ key, reply }) => !isDeepStrictEqual(stored.get(key), reply)).length,
      0,
    ),
    mustBe(
      'staff actions kept and not acknowledged',
      actions.filter(({ key }) => !byKey.has(key)).length,
      0,
    ),
    mustBe(
      'ledgers whose balance is not each payment and each staff action once (lost or doubled)',
      ledgers.filter(({ id, cents }) => expected.get(id) !== cents).length,
      0,
    ),
    mustBe('answers to staff with a balance that the ledger never had', unread.length, 0),
    mustBe(
      'answers to staff other than 200, 409 and 422',
      answers.filter(({ status }) => ![200, 409, 422].includes(status)).length,
      0,
    ),
  ];
}

/** What a staff action adds to the balances of its ledgers, in cents. */
function effectOf(name: OfficeVerbName, reply: VerbReply): [ledgerId: string, cents: number][] {
  const { ledgers, payments = [], reversals = [], amount = 0 } = reply;
  switch (name) {
    case 'payments.record':
      return payments.map(({ ledgerId, amount: paid }) => [ledgerId, -centsOf(paid)]);
    case 'payments.refund':
      return ledgers.map(({ ledgerId, refunded = 0 }) => [ledgerId, centsOf(refunded)]);
    case 'payments.reverse':
      return reversals.map(({ ledgerId, amount: back }) => [ledgerId, centsOf(back)]);
    case 'charges.waive':
      return [[ledgers[0]!.ledgerId, -centsOf(amount)]];
    default:
      throw new Error(`the checker knows no effect of ${name}`);
  }
}

function centsOf(dollars: number): number {
  return Math.round(dollars * 100);
}
