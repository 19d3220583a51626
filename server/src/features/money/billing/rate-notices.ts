import { addDays } from '@gatehouse/contract/dates';
import { t } from '@gatehouse/language/t';
import { sql } from 'kysely';
import type { Context } from '#context/context.ts';
import { batchesById } from '#db/batches.ts';
import type { Database, DatabaseTransaction } from '#db/database.ts';
import { rateChangeEmail, type RateChange } from '#emails/rate-change.ts';
import { raiseAlarm } from '#features/base/alarms/alarms.ts';
import { lockBooks } from '#features/base/ledgers/postings.ts';
import { queueMail } from '#features/base/mail/mail.ts';
import { billPeriod, totalCents, type BilledCharge } from './bill.ts';
import { readBillable, type BillableLedger, type ScheduledRate } from './billable.ts';
import { isDecrease, periodAfter, termsAt } from './ledger-bill.ts';
import { findZone } from './zone.ts';

const BATCH = 100;

/**
 * Queues a notice for each scheduled rate change of a facility that differs from the tenant's last
 * notice. `date` is the facility's day. A change that is too near for its notice raises an alarm
 * instead, and is not applied. Answers how many notices were queued.
 */
export async function sendRateNotices(
  ctx: Context,
  run: { facilityId: string; date: string },
): Promise<number> {
  if ((await findZone(ctx, run.facilityId)) === null) return 0;
  let sent = 0;
  const batches = batchesById(
    (after) => findUnnoticed(ctx.db, run, after),
    (id) => id,
  );
  for await (const ids of batches)
    for (const id of ids) {
      const isSent = await ctx.db.transaction().execute(async (trx) => {
        await lockBooks(trx, [id]);
        const [ledger] = await readBillable(trx, [id]);
        return sendNotice(ctx, trx, ledger!, run.date);
      });
      if (isSent) sent += 1;
    }
  return sent;
}

/** How many notices `sendRateNotices` would queue. */
export async function countRateNotices(
  db: Database,
  run: { facilityId: string; date: string },
): Promise<number> {
  let count = 0;
  const batches = batchesById(
    (after) => findUnnoticed(db, run, after),
    (id) => id,
  );
  for await (const ids of batches)
    for (const ledger of await readBillable(db, ids))
      if (!isTooLate(ledger, ledger.scheduled!, run.date)) count += 1;
  return count;
}

/** Current rentals whose scheduled rate is not the one of their last notice. */
async function findUnnoticed(
  db: Database,
  { facilityId, date }: { facilityId: string; date: string },
  after: string,
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    SELECT l.id FROM ledgers l JOIN units u ON u.id = l.unit_id
    WHERE u.facility_id = ${facilityId} AND is_current_on(l.moved_out_on, ${date}::date) AND l.id > ${after}
      AND (l.late_from IS NULL OR l.late_from <= ${date}::date)
      AND l.scheduled_rate_cents IS NOT NULL AND l.scheduled_rate_on IS NOT NULL
      AND NOT EXISTS (SELECT FROM rate_notices n WHERE n.ledger_id = l.id
        AND n.effective_on = l.scheduled_rate_on AND n.to_cents = l.scheduled_rate_cents AND n.replaced_at IS NULL)
    ORDER BY l.id LIMIT ${BATCH}`.execute(db);
  return rows.map(({ id }) => id);
}

/**
 * Queues the notice of one ledger's scheduled rate, in the transaction that has locked and read the
 * ledger. Answers whether it did: not where the last notice says the same, a rise comes too late
 * for its notice, or the tenant has no address.
 */
export async function sendNotice(
  ctx: Context,
  trx: DatabaseTransaction,
  ledger: BillableLedger,
  today: string,
): Promise<boolean> {
  const { ledgerId, scheduled, facility, unitName, rateCents } = ledger;
  if (scheduled === null || scheduled.noticeId !== null) return false;
  const { on, toCents } = scheduled;
  const alarm = async (sentence: string) => {
    const key = `rate_change_without_notice:${ledgerId}:${on}:${toCents}`;
    const facts = { ledgerId, effectiveOn: on, toCents, noticeDays: facility.rateNoticeDays };
    const { facilityId } = facility;
    await raiseAlarm(ctx, trx, {
      kind: 'rate_change_without_notice',
      key,
      facilityId,
      sentence,
      facts,
    });
    return false;
  };
  if (isTooLate(ledger, scheduled, today))
    return alarm(
      `The rate change of unit ${unitName} on ${on} was scheduled too late for its notice: the old rate is billed on.`,
    );
  const { to, ...addressee } = await findTenant(trx, ledgerId);
  const change = {
    ...addressee,
    unitName,
    fromCents: rateCents,
    toCents,
    on,
    bill: firstBill(ledger, toCents, on),
    replaced: await findNoticed(trx, ledgerId),
  };
  const mailId = await queueMail(ctx, trx, {
    to,
    kind: 'legal',
    tenantId: ledger.tenantId,
    email: () => rateChangeEmail(change),
  });
  if (mailId === null)
    return alarm(
      `The tenant of unit ${unitName} has no mail address for the notice of the rate change on ${on}.`,
    );
  const now = ctx.clock.now();
  await trx
    .updateTable('rate_notices')
    .set({ replaced_at: now })
    .where('ledger_id', '=', ledgerId)
    .where('replaced_at', 'is', null)
    .execute();
  await trx
    .insertInto('rate_notices')
    .values({
      ledger_id: ledgerId,
      from_cents: rateCents,
      to_cents: toCents,
      effective_on: on,
      mail_id: mailId,
      created_at: now,
    })
    .execute();
  return true;
}

/** Whether a rise is nearer than its notice. */
function isTooLate(ledger: BillableLedger, scheduled: ScheduledRate, today: string): boolean {
  return (
    !isDecrease(ledger, scheduled) && today > addDays(scheduled.on, -ledger.facility.rateNoticeDays)
  );
}

/** The change of which the tenant was notified last, where it has not come yet. */
async function findNoticed(
  trx: DatabaseTransaction,
  ledgerId: string,
): Promise<RateChange['replaced']> {
  const notice = await trx
    .selectFrom('rate_notices as n')
    .select(['n.to_cents as toCents', 'n.effective_on as on'])
    .where('n.ledger_id', '=', ledgerId)
    .where('n.replaced_at', 'is', null)
    .where(sql<boolean>`NOT EXISTS (SELECT FROM rate_changes c WHERE c.rate_notice_id = n.id)`)
    .executeTakeFirst();
  return notice ?? null;
}

type Addressee = Pick<
  RateChange,
  'firstName' | 'facilityName' | 'facilityPhone' | 'autopayMethod'
> & { to: string };

async function findTenant(db: Database, ledgerId: string): Promise<Addressee> {
  const { rows } = await sql<Addressee>`
    SELECT t.email AS to, t.first_name AS "firstName", f.name AS "facilityName", f.phone AS "facilityPhone",
      (SELECT CASE pm.type WHEN 'ach' THEN 'ACH' ELSE pm.brand END || ' ending in ' || pm.last_four
        FROM autopays a JOIN payment_methods pm ON pm.id = a.payment_method_id
        WHERE a.ledger_id = l.id AND a.active) AS "autopayMethod"
    FROM ledgers l JOIN tenants t ON t.id = l.tenant_id JOIN facilities f ON f.id = t.facility_id
    WHERE l.id = ${ledgerId}`.execute(db);
  return rows[0]!;
}

/** The first bill that is due on the change's day or later, as it looks today. */
export function firstBill(
  ledger: BillableLedger,
  rateCents: number,
  on: string,
): RateChange['bill'] {
  let period = periodAfter(ledger, ledger.billedThrough);
  while (period.dueOn < on) period = periodAfter(ledger, period.periodEnd);
  const charges = billPeriod(termsAt(ledger, rateCents, period.dueOn), period);
  return { dueOn: period.dueOn, lines: charges.flatMap(linesOf), totalCents: totalCents(charges) };
}

const names = {
  rent: () => t('Rent'),
  insurance: () => t('Protection plan'),
  fee: () => t('Card fee'),
  service: () => t('Service'),
  deposit: () => t('Deposit'),
};

const taxNames: typeof names = {
  rent: () => t('Tax on rent'),
  insurance: () => t('Tax on protection plan'),
  fee: () => t('Tax on card fee'),
  service: () => t('Tax on service'),
  deposit: () => t('Tax on deposit'),
};

function linesOf({ category, ...charge }: BilledCharge): RateChange['bill']['lines'] {
  const { priceCents, discountCents, tax1Cents, tax2Cents } = charge;
  const lines: RateChange['bill']['lines'] = [
    [names[category], priceCents],
    [() => t('Discount'), -discountCents],
    [taxNames[category], tax1Cents + tax2Cents],
  ];
  return lines.filter(([, cents], index) => index === 0 || cents !== 0);
}
