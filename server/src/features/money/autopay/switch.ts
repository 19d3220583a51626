import type { AutopayUpdateParams } from '@gatehouse/contract/autopay-changes';
import { stopAutopay as stopAutopayVerb } from '@gatehouse/contract/staff-autopay';
import { formTypes } from '@gatehouse/contract/requests';
import { t } from '@gatehouse/language/t';
import { sql } from 'kysely';
import type { Context } from '#context/context.ts';
import type { Database, DatabaseTransaction } from '#db/database.ts';
import { autopayOffEmail } from '#emails/autopay-off.ts';
import { mandateEmail } from '#emails/mandate.ts';
import { cardToAchNoticeEmail } from '#emails/staff/card-to-ach-notice.ts';
import { queueMail } from '#features/base/mail/mail.ts';
import {
  chooseMethod,
  describeMethod,
  saveMethod,
  type SavedMethod,
} from '#features/money/payment-methods/payment-methods.ts';
import { getRequester } from '#features/service/requests/requester.ts';
import { fileRequest } from '#features/service/requests/requests.ts';
import { getStaffLedgers, workOf } from '#features/base/staff-actions/staff-actions.ts';
import type { Caller } from '#http/guard.ts';
import type { Origin } from '#http/routes.ts';
import { Refusal } from '#errors/refusal.ts';
import { isRefused, lockAccount } from './accounts.ts';
import { findAutopaysOf, type AutopayRow } from './autopay.ts';
import { endMandates, insertMandate } from '#features/money/mandates/mandates.ts';
import { beginUpdate, finishUpdate, giveUpUpdate } from './updates.ts';

/** Who sets autopay of which rental and from where. */
export type Setting = {
  caller: Pick<Caller, 'userId' | 'tenantIds' | 'timeZone'>;
  ledgerId: string;
  params: AutopayUpdateParams;
  idempotencyKey: string | undefined;
  origin: Pick<Origin, 'ip' | 'userAgent'>;
};

/**
 * Sets the method that autopay charges for a rental and turns autopay on: keeps the tenant's
 * consent in place of the one before, and mails a copy of it. The same again under an
 * Idempotency-Key changes nothing and keeps no second card at the gateway. Refuses as chooseMethod
 * and saveMethod do, with 422 a card or account that its bank has refused for good, in whichever
 * entry, and a key of another request, with 409 while the same one is under way.
 */
export async function setAutopay(ctx: Context, setting: Setting): Promise<AutopayRow> {
  const { caller, params } = setting;
  const ledger = await getLedger(ctx.db, caller.tenantIds, setting.ledgerId);
  if (!(await beginUpdate(ctx, setting))) return getAutopay(ctx, caller.timeZone, ledger.id);
  try {
    const chosen = await chooseMethod(ctx, ledger.tenantId, caller.timeZone, params);
    const isMarked = chosen.saved !== null && chosen.saved.refused_at !== null;
    if (isMarked || (await isRefused(ctx.db, ledger.tenantId, chosen))) throw refused();
    const method = chosen.saved ?? (await saveMethod(ctx, ledger.tenantId, chosen.instrument));
    await ctx.db.transaction().execute((trx) => turnOn(ctx, trx, setting, ledger, method));
  } catch (error) {
    await giveUpUpdate(ctx, setting);
    throw error;
  }
  return getAutopay(ctx, caller.timeZone, ledger.id);
}

/**
 * Turns autopay of a rental off, to the minute before a charge, and ends the consent; the method
 * stays saved. Where it is off already nothing changes.
 */
export async function stopAutopay(
  ctx: Context,
  { userId, tenantIds, timeZone }: Pick<Caller, 'userId' | 'tenantIds' | 'timeZone'>,
  ledgerId: string,
): Promise<AutopayRow> {
  const ledger = await getLedger(ctx.db, tenantIds, ledgerId);
  await ctx.db.transaction().execute((trx) => turnOff(ctx, trx, ledger, userId));
  return getAutopay(ctx, timeZone, ledger.id);
}

/**
 * `autopay.stop`: staff turn autopay of a rental off, as the tenant could; the tenant is mailed.
 * Refuses with 409 where it is not on.
 */
export const stopAutopayFor = workOf(stopAutopayVerb, async (on, { ledgerId }) => {
  const [rental] = await getStaffLedgers(on, [ledgerId]);
  const { id, unitName, tenantId, facilityId } = rental!;
  const ledger = await getLedger(on.trx, [tenantId], id);
  if (!(await turnOff(on.ctx, on.trx, ledger, null)))
    throw new Refusal(409, `Autopay of unit ${unitName} is not on.`);
  return { reply: { ledgerId: id, unitName }, about: { facilityId, tenantId, ledgerIds: [id] } };
});

/** Turns autopay of all rentals of a record off, likewise. Answers the units that it was on of. */
export async function stopAllAutopay(
  ctx: Context,
  trx: DatabaseTransaction,
  tenantId: string,
): Promise<string[]> {
  const rows = await trx
    .selectFrom('autopays as a')
    .innerJoin('ledgers as l', 'l.id', 'a.ledger_id')
    .select('l.id')
    .where('l.tenant_id', '=', tenantId)
    .where('a.active', '=', true)
    .orderBy('l.id')
    .execute();
  const units: string[] = [];
  for (const { id } of rows) {
    const ledger = await getLedger(trx, [tenantId], id);
    if (await turnOff(ctx, trx, ledger, null)) units.push(ledger.unitName);
  }
  return units.toSorted();
}

/** Answers whether it was on. `userId` of the tenant who asks; null for staff. */
async function turnOff(
  ctx: Context,
  trx: DatabaseTransaction,
  ledger: LedgerRow,
  userId: string | null,
): Promise<boolean> {
  const at = ctx.clock.now();
  const stopped = await trx
    .updateTable('autopays')
    .set({ active: false, updated_at: at })
    .where('ledger_id', '=', ledger.id)
    .where('active', '=', true)
    .returning('ledger_id')
    .executeTakeFirst();
  if (stopped === undefined) return false;
  await endMandates(trx, [ledger.id], { reason: 'switched_off', at, userId });
  await queueMail(ctx, trx, {
    to: ledger.email,
    kind: 'autopay',
    tenantId: ledger.tenantId,
    email: () =>
      autopayOffEmail({ ...ledger, unitNames: [ledger.unitName], reason: 'switchedOff' }),
  });
  return true;
}

type LedgerRow = {
  id: string;
  tenantId: string;
  unitName: string;
  facilityName: string;
  facilityPhone: string | null;
  cardFeeCents: number;
  firstName: string;
  email: string;
};

async function getLedger(db: Database, tenantIds: string[], ledgerId: string): Promise<LedgerRow> {
  return db
    .selectFrom('ledgers as l')
    .innerJoin('units as u', 'u.id', 'l.unit_id')
    .innerJoin('facilities as f', 'f.id', 'u.facility_id')
    .innerJoin('tenants as t', 't.id', 'l.tenant_id')
    .select([
      'l.id',
      't.id as tenantId',
      'u.name as unitName',
      'f.name as facilityName',
      'f.phone as facilityPhone',
    ])
    .select(['f.card_fee_cents as cardFeeCents', 't.first_name as firstName', 't.email'])
    .where('l.id', '=', ledgerId)
    .where('l.tenant_id', 'in', tenantIds)
    .executeTakeFirstOrThrow();
}

async function getAutopay(ctx: Context, timeZone: string, ledgerId: string): Promise<AutopayRow> {
  const [autopay] = await findAutopaysOf(ctx, timeZone, [ledgerId]);
  if (autopay === undefined) throw new Error(`the ledger ${ledgerId} is no current rental`);
  return autopay;
}

async function turnOn(
  ctx: Context,
  trx: DatabaseTransaction,
  { caller, idempotencyKey, origin }: Setting,
  ledger: LedgerRow,
  method: SavedMethod,
): Promise<void> {
  const at = ctx.clock.now();
  const { fingerprint, expires_on: expiresOn } = method;
  if (fingerprint !== null) {
    await lockAccount(trx, fingerprint);
    // It may have been stopped while the gateway was asked to keep it.
    if (await isRefused(trx, ledger.tenantId, { fingerprint, expiresOn })) throw refused();
  }
  const before = await lockAutopay(trx, ledger.id, method.id, at);
  await endMandates(trx, [ledger.id], { reason: 'replaced', at, userId: caller.userId });
  const mandate = await insertMandate(trx, { ledger, method, userId: caller.userId, origin, at });
  await trx
    .updateTable('autopays')
    .set({ payment_method_id: method.id, active: true, mandate_id: mandate.id, updated_at: at })
    .where('ledger_id', '=', ledger.id)
    .execute();
  await finishUpdate(trx, caller.userId, idempotencyKey, mandate.id);
  await queueMail(ctx, trx, {
    to: ledger.email,
    kind: 'autopay',
    tenantId: ledger.tenantId,
    email: () => mandateEmail({ ...ledger, text: mandate.text }),
  });
  if (before.active && method.type === 'ach')
    await notifyStaffOfSwitch(ctx, trx, ledger, before.payment_method_id, method);
}

function refused(): Refusal {
  return new Refusal(
    422,
    t('The bank has refused this payment method. Please give another card or account.'),
  );
}

/**
 * The autopay as it is, locked, so that of two switches at once one is mailed; made, and off, where
 * there is none.
 */
async function lockAutopay(trx: DatabaseTransaction, ledgerId: string, methodId: string, at: Date) {
  await trx
    .insertInto('autopays')
    .values({ ledger_id: ledgerId, payment_method_id: methodId, active: false, updated_at: at })
    .onConflict((conflict) => conflict.column('ledger_id').doNothing())
    .execute();
  const { rows } = await sql<{ active: boolean; payment_method_id: string }>`
    SELECT active, payment_method_id FROM autopays WHERE ledger_id = ${ledgerId} FOR UPDATE`.execute(
    trx,
  );
  return rows[0]!;
}

/** The card-to-ACH notice: decided here, whatever `switchingFromCcToAch` and `webhookData` say. */
async function notifyStaffOfSwitch(
  ctx: Context,
  trx: DatabaseTransaction,
  ledger: LedgerRow,
  beforeId: string,
  after: SavedMethod,
): Promise<void> {
  const before = await trx
    .selectFrom('payment_methods')
    .selectAll()
    .where('id', '=', beforeId)
    .where('tenant_id', '=', ledger.tenantId)
    .executeTakeFirstOrThrow();
  if (before.type === 'ach') return;
  await fileRequest(ctx, trx, {
    kind: formTypes.cardToAch,
    requester: await getRequester(trx, [ledger.tenantId], ledger.id),
    asker: null,
    facts: { from: describeMethod(before), to: describeMethod(after) },
    email: cardToAchNoticeEmail,
  });
}
