import { randomUUID } from 'node:crypto';
import { addCredit } from '@gatehouse/contract/credits';
import { calendarDateIn } from '@gatehouse/contract/dates';
import { toCents, toDollars } from '@gatehouse/contract/money';
import type { VerbReply } from '@gatehouse/contract/staff-verb';
import type { Context } from '#context.ts';
import { post } from '#features/ledgers/books.ts';
import { lockBooks, postLocked } from '#features/ledgers/postings.ts';
import { getStaffLedgers, runStaffVerb, type StaffCall } from '#features/staff-actions/staff-actions.ts';

/** `credits.add`: posts a credit that settles what is owed; what is left of it stays on the ledger. */
export function addCreditTo(ctx: Context, call: StaffCall, body: unknown): Promise<VerbReply<typeof addCredit>> {
  return runStaffVerb(ctx, addCredit, call, body, async (on, { ledgerId, amount, description }) => {
    const [ledger] = await getStaffLedgers(on, [ledgerId]);
    const { id, tenantId, facilityId, timeZone, unitName } = ledger!;
    const [books] = await lockBooks(on.trx, [id]);
    const creditId = randomUUID();
    const credit = { kind: 'credit' as const, id: creditId, cents: toCents(amount), description };
    const { posting } = post(books!, [credit]);
    const at = { instant: on.now, dayOf: () => calendarDateIn(timeZone, on.now) };
    await postLocked(on.trx, at, [posting]);
    return {
      reply: { creditId, ledgers: [{ ledgerId: id, unitName, balance: toDollars(posting.balanceCents) }] },
      about: { facilityId, tenantId, ledgerIds: [id], details: { credit: creditId, amount: String(amount) } },
    };
  });
}
