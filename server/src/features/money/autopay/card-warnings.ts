import { addDays, daysBetween, lastDayOf } from '@gatehouse/contract/dates';
import { sql } from 'kysely';
import type { Context } from '#context/context.ts';
import { batchesById } from '#db/batches.ts';
import type { Database } from '#db/database.ts';
import { cardExpiresEmail } from '#emails/autopay-card-expires.ts';
import { queueMail } from '#features/base/mail/mail.ts';
import { describeMethod } from '#features/money/payment-methods/payment-methods.ts';
import { findAutopaysOf } from './autopay.ts';
import { hasLiveMandate } from '#features/money/mandates/mandates.ts';

/** A card is warned of this many days before its last day, the nearest that has come; each once. */
const WARN_DAYS = [7, 30] as const;

const BATCH = 200;

/**
 * Warns each tenant of a facility whose autopay card ends within 30 and within 7 days of the
 * facility's day `date`, once each: the last day of a card is the last of its month. Answers how
 * many mails were queued.
 */
export async function warnOfExpiringCards(
  ctx: Context,
  run: { facilityId: string; date: string },
): Promise<number> {
  let warned = 0;
  const batches = batchesById(
    (after) => findExpiring(ctx.db, run, after),
    ({ methodId }) => methodId,
  );
  for await (const cards of batches)
    for (const card of cards) if (await warn(ctx, card, run.date)) warned += 1;
  return warned;
}

type Card = {
  methodId: string;
  brand: string;
  lastFour: string;
  expiresOn: string;
  ledgers: { id: string; unitName: string }[];
  tenantId: string;
  firstName: string;
  email: string;
  facilityName: string;
  facilityPhone: string | null;
  timeZone: string;
};

async function findExpiring(
  db: Database,
  { facilityId, date }: { facilityId: string; date: string },
  after: string,
): Promise<Card[]> {
  const { rows } = await sql<Card>`
    SELECT pm.id AS "methodId", pm.brand, pm.last_four AS "lastFour", pm.expires_on AS "expiresOn",
      json_agg(json_build_object('id', l.id, 'unitName', u.name) ORDER BY u.name) AS ledgers,
      t.id AS "tenantId", t.first_name AS "firstName", t.email, f.name AS "facilityName", f.phone AS "facilityPhone",
      f.time_zone AS "timeZone"
    FROM payment_methods pm
    JOIN autopays a ON a.payment_method_id = pm.id
    JOIN ledgers l ON l.id = a.ledger_id
    JOIN units u ON u.id = l.unit_id
    JOIN tenants t ON t.id = pm.tenant_id
    JOIN facilities f ON f.id = t.facility_id
    WHERE f.id = ${facilityId} AND pm.id > ${after} AND ${hasLiveMandate} AND is_current_on(l.moved_out_on, ${date}::date)
      AND pm.type = 'creditCard' AND pm.refused_at IS NULL
      AND pm.expires_on BETWEEN ${date.slice(0, 7)} AND ${addDays(date, WARN_DAYS[1]).slice(0, 7)}
    GROUP BY pm.id, t.id, f.id
    ORDER BY pm.id LIMIT ${BATCH}`.execute(db);
  return rows;
}

async function warn(ctx: Context, card: Card, date: string): Promise<boolean> {
  const lastDay = lastDayOf(card.expiresOn);
  const left = daysBetween(date, lastDay);
  const days = WARN_DAYS.find((most) => left <= most);
  if (days === undefined || left < 0) return false;
  const ids = card.ledgers.map(({ id }) => id);
  const autopays = await findAutopaysOf(ctx, card.timeZone, ids);
  const charges = autopays
    .flatMap(({ nextCharge }) => nextCharge ?? [])
    .toSorted((a, b) => (a.date < b.date ? -1 : 1));
  return ctx.db.transaction().execute(async (trx) => {
    const isNew = await trx
      .insertInto('card_warnings')
      .values({ payment_method_id: card.methodId, days, warned_at: ctx.clock.now() })
      .onConflict((conflict) => conflict.columns(['payment_method_id', 'days']).doNothing())
      .returning('days')
      .executeTakeFirst();
    if (isNew === undefined) return false;
    await queueMail(ctx, trx, {
      to: card.email,
      kind: 'card_expires',
      tenantId: card.tenantId,
      email: () =>
        cardExpiresEmail({
          ...card,
          method: describeMethod({
            type: 'creditCard',
            brand: card.brand,
            last_four: card.lastFour,
          }),
          ledgerId: ids[0]!,
          unitNames: card.ledgers.map(({ unitName }) => unitName),
          lastDay,
          nextCharge: charges[0] ?? null,
        }),
    });
    return true;
  });
}
