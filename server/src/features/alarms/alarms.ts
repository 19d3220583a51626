import type { Context } from '#context.ts';
import type { Database, DatabaseTransaction } from '#db/database.ts';
import { alarmEmail } from '#emails/alarm.ts';
import { queueMail } from '#features/mail/mail.ts';

/** What needs a person. `key` is the trouble itself: the same key is told once, ever. */
export type Alarm = {
  /** What sort of trouble, for the metrics: a few words with underscores, such as `unknown_zone`. */
  kind: string;
  key: string;
  /** The facility it is about, whose address is written to where the operator has none of its own; null for none. */
  facilityId: string | null;
  /** The ledger that it is about, where it is one. */
  ledgerId?: string;
  /** What is wrong, in one sentence for the operator. */
  sentence: string;
  /** Ids, sums and dates for whoever looks: no names, no addresses, no numbers of cards or accounts. */
  facts: Record<string, unknown>;
};

/**
 * Raises an alarm once: a row, a line in the log and a mail to the operator, in the transaction given or else in one of its
 * own. Answers whether it was new.
 */
export async function raiseAlarm(ctx: Context, db: Database, alarm: Alarm): Promise<boolean> {
  const isNew = isTransaction(db)
    ? await record(ctx, db, alarm)
    : await db.transaction().execute((trx) => record(ctx, trx, alarm));
  if (isNew) ctx.log.error({ kind: alarm.kind, key: alarm.key, facts: alarm.facts }, alarm.sentence);
  return isNew;
}

function isTransaction(db: Database): db is DatabaseTransaction {
  return db.isTransaction;
}

async function record(ctx: Context, trx: DatabaseTransaction, alarm: Alarm): Promise<boolean> {
  const { kind, key, facilityId, ledgerId, sentence, facts } = alarm;
  const row = await trx
    .insertInto('alarms')
    .values({
      kind,
      key,
      facility_id: facilityId,
      ...(ledgerId !== undefined && { ledger_id: ledgerId }),
      sentence,
      facts: JSON.stringify(facts),
      raised_at: ctx.clock.now(),
    })
    .onConflict((conflict) => conflict.column('key').doNothing())
    .returning('id')
    .executeTakeFirst();
  if (row === undefined) return false;
  const to = ctx.config.operatorEmail ?? (await findFacilityEmail(trx, facilityId));
  if (to !== null) await queueMail(ctx, trx, { to, email: alarmEmail(alarm) });
  return true;
}

async function findFacilityEmail(trx: DatabaseTransaction, facilityId: string | null): Promise<string | null> {
  if (facilityId === null) return null;
  const facility = await trx.selectFrom('facilities').select('email').where('id', '=', facilityId).executeTakeFirst();
  return facility?.email ?? null;
}
