import { randomUUID } from 'node:crypto';
import { addCredit, moveCredit, reverseCredit } from '@gatehouse/contract/credits';
import { calendarDateIn } from '@gatehouse/contract/dates';
import { formatMoney, toCents, toDollars } from '@gatehouse/contract/money';
import type { VerbReply } from '@gatehouse/contract/staff-verb';
import type { Context } from '#context/context.ts';
import { owedAgainOn } from '#features/base/ledgers/owed-since.ts';
import type { LedgerBooks } from '#features/base/ledgers/postings.ts';
import type { NewReversal } from '#features/base/ledgers/books.ts';
import { lockBooks, readBooksWithPayments } from '#features/base/ledgers/postings.ts';
import { isUnderRefund } from '#features/money/payments/refunds.ts';
import {
  findStaffLedgers,
  getStaffLedgers,
  runStaffVerb,
  type StaffCall,
  type StaffWork,
} from '#features/base/staff-actions/staff-actions.ts';
import { Refusal } from '#errors/refusal.ts';
import { owedOnOf, postChangesWithMail } from './post-changes.ts';

/**
 * `credits.add`: posts a credit that settles what is owed; what is left of it stays on the ledger.
 */
export function addCreditTo(
  ctx: Context,
  call: StaffCall,
  body: unknown,
): Promise<VerbReply<typeof addCredit>> {
  return runStaffVerb(ctx, addCredit, call, body, async (on, { ledgerId, amount, description }) => {
    const [ledger] = await getStaffLedgers(on, [ledgerId]);
    const { id, tenantId, facilityId } = ledger!;
    const [books] = await lockBooks(on.trx, [id]);
    const creditId = randomUUID();
    const credit = { kind: 'credit' as const, id: creditId, cents: toCents(amount), description };
    const ledgers = await postChangesWithMail(on, [
      { ledger: ledger!, books: books!, changes: [credit] },
    ]);
    return {
      reply: { creditId, ledgers },
      about: {
        facilityId,
        tenantId,
        ledgerIds: [id],
        details: { credit: creditId, amount: String(amount) },
      },
    };
  });
}

/**
 * `credits.move`: takes the oldest open credits of a ledger back as far as they settle nothing, and
 * posts as much to another ledger of the same tenant record. Refuses with 422 more than is open, a
 * ledger of another record, and a credit of a bank debit that has not settled, with 409 a credit of
 * which a refund is under way.
 */
export function moveCreditTo(
  ctx: Context,
  call: StaffCall,
  body: unknown,
): Promise<VerbReply<typeof moveCredit>> {
  return runStaffVerb(
    ctx,
    moveCredit,
    call,
    body,
    async (on, { fromLedgerId, toLedgerId, amount }) => {
      const [from, to] = await getStaffLedgers(on, [fromLedgerId, toLedgerId]);
      if (from!.tenantId !== to!.tenantId)
        throw new Refusal(
          422,
          'A credit can be moved between the rentals of one tenant record only.',
        );
      const books = await lockBooks(on.trx, [from!.id, to!.id]);
      const booksOf = (ledgerId: string) => books.find((one) => one.ledgerId === ledgerId)!;
      const reversals = await moveOut(on, booksOf(from!.id), toCents(amount), to!.unitName);
      const creditId = randomUUID();
      const description = `Moved from unit ${from!.unitName}`;
      const credit = { kind: 'credit' as const, id: creditId, cents: toCents(amount), description };
      const ledgers = await postChangesWithMail(on, [
        { ledger: from!, books: booksOf(from!.id), changes: reversals },
        { ledger: to!, books: booksOf(to!.id), changes: [credit] },
      ]);
      return {
        reply: { creditId, ledgers },
        about: {
          facilityId: from!.facilityId,
          tenantId: from!.tenantId,
          ledgerIds: [from!.id, to!.id],
          details: { credit: creditId, amount: String(amount) },
        },
      };
    },
  );
}

/**
 * The reversals of this many cents of what settles nothing on the ledger, the oldest credit first.
 */
async function moveOut(
  on: StaffWork,
  books: LedgerBooks,
  cents: number,
  toUnit: string,
): Promise<NewReversal[]> {
  const open = books.credits.toSorted((a, b) => a.position - b.position);
  const openCents = open.reduce((sum, { leftCents }) => sum + leftCents, 0);
  if (cents > openCents)
    throw new Refusal(
      422,
      `Unit ${books.unitName} has an open credit of ${formatMoney(toDollars(openCents))} only.`,
    );
  const [withPayments] = await readBooksWithPayments(
    on.trx,
    open.map(({ id }) => id),
  );
  let rest = cents;
  const reversals = open.flatMap(({ id, leftCents }): NewReversal[] => {
    const part = Math.min(rest, leftCents);
    rest -= part;
    if (part === 0) return [];
    const payment = withPayments!.payments.find((one) => one.id === id)!;
    const description = `Moved to unit ${toUnit}`;
    return [
      { kind: 'reversal', id: randomUUID(), payment, cents: part, reason: 'moved', description },
    ];
  });
  const ids = reversals.map(({ payment }) => payment.id);
  await refuseUnderRefund(on, ids);
  const pending = await on.trx
    .selectFrom('payments')
    .innerJoin('payment_intents', 'payment_intents.id', 'intent_id')
    .select('entry_id')
    .where('entry_id', 'in', ids)
    .where('state', '=', 'pending')
    .executeTakeFirst();
  if (pending !== undefined)
    throw new Refusal(
      422,
      `The credit of unit ${books.unitName} is of a bank debit that has not settled yet. Move it when it has.`,
    );
  return reversals;
}

async function refuseUnderRefund({ trx }: StaffWork, entryIds: string[]): Promise<void> {
  if (await isUnderRefund(trx, entryIds))
    throw new Refusal(
      409,
      'A refund of this credit is under way. Please try again in some minutes.',
    );
}

/**
 * `credits.reverse`: takes back what is left of a credit or waiver. Refuses with 404 an id that is
 * no credit, with 422 one of which nothing is left, and with 409 one of which a refund is under
 * way.
 */
export function reverseCreditOf(
  ctx: Context,
  call: StaffCall,
  body: unknown,
): Promise<VerbReply<typeof reverseCredit>> {
  return runStaffVerb(ctx, reverseCredit, call, body, async (on, { creditId }) => {
    const row = await on.trx
      .selectFrom('credits')
      .select('ledger_id')
      .where('entry_id', '=', creditId)
      .executeTakeFirst();
    const [ledger] = row === undefined ? [] : await findStaffLedgers(on, [row.ledger_id]);
    if (ledger === undefined) throw new Refusal(404, `There is no credit ${creditId}.`);
    await lockBooks(on.trx, [ledger.id]);
    const [books] = await readBooksWithPayments(on.trx, [creditId]);
    const payment = books!.payments[0]!;
    const cents = payment.leftCents;
    if (cents === 0)
      throw new Refusal(422, 'Nothing is left of this credit: it was taken back or moved.');
    await refuseUnderRefund(on, [creditId]);
    const reversalId = randomUUID();
    const reversal: NewReversal = {
      kind: 'reversal',
      id: reversalId,
      payment,
      cents,
      reason: 'mistake',
      description: 'Recorded by mistake',
      owedOn: owedAgainOn(calendarDateIn(ledger.timeZone, on.now)),
    };
    const parts = [{ ledger, books: books!, changes: [reversal] }];
    const ledgers = await postChangesWithMail(on, parts);
    return {
      reply: { reversalId, amount: toDollars(cents), owedOn: owedOnOf(parts, ledgers), ledgers },
      about: {
        facilityId: ledger.facilityId,
        tenantId: ledger.tenantId,
        ledgerIds: [ledger.id],
        details: { credit: creditId, amount: String(toDollars(cents)) },
      },
    };
  });
}
