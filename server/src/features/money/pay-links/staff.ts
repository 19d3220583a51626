import { formatMoney, toCents, toDollars } from '@gatehouse/contract/money';
import { PAY_LINK_DAYS } from '@gatehouse/contract/pay-links';
import { createPayLink, revokePayLink } from '@gatehouse/contract/staff-pay-links';
import type { VerbReply } from '@gatehouse/contract/staff-verb';
import { sql } from 'kysely';
import type { Context } from '#context/context.ts';
import { payLinkEmail } from '#emails/pay-link.ts';
import { lockBooks } from '#features/base/ledgers/postings.ts';
import { queueMail } from '#features/base/mail/mail.ts';
import {
  findStaffLedgers,
  getStaffLedgers,
  runStaffVerb,
  type StaffCall,
  type StaffLedger,
  type StaffWork,
  workOf,
} from '#features/base/staff-actions/staff-actions.ts';
import { Refusal } from '#errors/refusal.ts';
import { endOf, getLink, insertPayLink, newPayLink, payLinkToken, payLinkUrl } from './links.ts';

/**
 * `payLinks.create`: a link for what a rental owes now, also an ended one. Its address is in the
 * answer and in the mail only, and stored nowhere; the same key answers it again. Refuses with 422
 * a rental that owes nothing, more than it owes, and less than the gateway charges.
 */
export async function createPayLinkFor(
  ctx: Context,
  call: StaffCall,
  body: unknown,
): Promise<VerbReply<typeof createPayLink>> {
  const reply = await runStaffVerb(
    ctx,
    createPayLink,
    call,
    body,
    async (on, { ledgerId, amount, isMailed = false }) => {
      const [ledger] = await getStaffLedgers(on, [ledgerId]);
      const owedCents = await readOwed(on, ledger!);
      const cents = amount === undefined ? owedCents : toCents(amount);
      checkAmount(ctx, ledger!, cents, owedCents);
      const link = newPayLink(ctx, on.now);
      const { id, token } = link;
      await insertPayLink(on.trx, { ...link, ledgerId: ledger!.id, cents, by: call.by });
      const mailedTo = isMailed ? await mailLink(on, ledger!, cents, token) : null;
      return {
        reply: {
          payLinkId: call.isPreview ? null : id,
          ledgerId: ledger!.id,
          unitName: ledger!.unitName,
          amount: toDollars(cents),
          endsAt: endOf(on.now).toISOString(),
          url: null,
          mailedTo,
        },
        about: {
          facilityId: ledger!.facilityId,
          tenantId: ledger!.tenantId,
          ledgerIds: [ledger!.id],
          details: {
            payLink: id,
            amount: String(toDollars(cents)),
            ...(mailedTo !== null && { mailedTo }),
          },
        },
      };
    },
  );
  if (reply.payLinkId === null) return reply;
  const link = await getLink(ctx.db, ctx.clock.now(), reply.payLinkId);
  return { ...reply, url: payLinkUrl(ctx, payLinkToken(ctx, link)) };
}

/** What the rental owes, with its ledger locked, less what the gateway may have captured of it. */
async function readOwed({ trx }: StaffWork, { id }: StaffLedger): Promise<number> {
  const [books] = await lockBooks(trx, [id]);
  const { rows } = await sql<{ cents: number }>`
    SELECT coalesce(sum(amount_cents), 0)::bigint AS cents FROM payment_intent_ledgers
    WHERE ledger_id = ${id} AND state IN ('submitted', 'unknown')`.execute(trx);
  return Math.max(0, books!.balanceCents - rows[0]!.cents);
}

function checkAmount(
  { gateway }: Context,
  { unitName }: StaffLedger,
  cents: number,
  owedCents: number,
): void {
  const least = formatMoney(toDollars(gateway.leastChargeCents));
  if (owedCents === 0) throw new Refusal(422, `Nothing is owed on ${unitName}.`);
  if (cents > owedCents)
    throw new Refusal(422, `${formatMoney(toDollars(owedCents))} is owed on ${unitName}.`);
  if (cents < gateway.leastChargeCents)
    throw new Refusal(422, `The least that can be paid online is ${least}.`);
}

/** Refuses with 422 where the tenant has no address that mail can go to. */
async function mailLink(
  { ctx, trx }: StaffWork,
  ledger: StaffLedger,
  cents: number,
  token: string,
): Promise<string> {
  const { to, firstName, ...facility } = await trx
    .selectFrom('tenants as t')
    .innerJoin('facilities as f', 'f.id', 't.facility_id')
    .select(['t.email as to', 't.first_name as firstName', 'f.name', 'f.phone'])
    .where('t.id', '=', ledger.tenantId)
    .executeTakeFirstOrThrow();
  const mailId = await queueMail(ctx, trx, {
    to,
    kind: 'pay_link',
    tenantId: ledger.tenantId,
    email: () =>
      payLinkEmail({
        facility,
        firstName,
        unitName: ledger.unitName,
        amount: toDollars(cents),
        url: payLinkUrl(ctx, token),
        days: PAY_LINK_DAYS,
      }),
    bodyDays: PAY_LINK_DAYS,
    isUrgent: true,
  });
  if (mailId === null)
    throw new Refusal(422, 'The tenant has no valid email address. Copy the link instead.');
  return to;
}

/**
 * `payLinks.revoke`: ends a link at once. Refuses with 404 one that is not there or of another
 * facility, and with 409 one that is revoked.
 */
export const revokePayLinkOf = workOf(revokePayLink, async (on, { payLinkId }) => {
  const notThere = () => new Refusal(404, `There is no pay link ${payLinkId}.`);
  const link = await on.trx
    .selectFrom('pay_links')
    .select(['ledger_id', 'amount_cents', 'revoked_by'])
    .where('id', '=', payLinkId)
    .forUpdate()
    .executeTakeFirst();
  if (link === undefined) throw notThere();
  const [ledger] = await findStaffLedgers(on, [link.ledger_id]);
  if (ledger === undefined) throw notThere();
  if (link.revoked_by !== null)
    throw new Refusal(409, `${link.revoked_by} has revoked this pay link before.`);
  await on.trx
    .updateTable('pay_links')
    .set({ revoked_at: on.now, revoked_by: on.call.by })
    .where('id', '=', payLinkId)
    .execute();
  const { id, tenantId, unitName, facilityId } = ledger;
  return {
    reply: { payLinkId, ledgerId: id, unitName, amount: toDollars(link.amount_cents) },
    about: { facilityId, tenantId, ledgerIds: [id], details: { payLink: payLinkId } },
  };
});
