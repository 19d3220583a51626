import { sql } from 'kysely';
import type { Context } from '#context/context.ts';
import type { Database, DatabaseTransaction } from '#db/database.ts';
import { alarmEmail } from '#emails/alarm.ts';
import { queueMail } from '#features/base/mail/mail.ts';
import { alarmKinds, type AlarmKind } from '@gatehouse/contract/alarm-kinds';

/** What needs a person. `key` is the trouble itself: while it is open it is raised once. */
export type Alarm = {
  kind: AlarmKind;
  key: string;
  /**
   * The facility it is about, whose address is written to where the operator has none of its own;
   * null for none.
   */
  facilityId: string | null;
  /** The ledger that it is about, where it is one. */
  ledgerId?: string;
  /** What is wrong, in one sentence for the operator. */
  sentence: string;
  /**
   * Ids, sums and dates for the person who handles it: no names, addresses, card or account
   * numbers.
   */
  facts: Record<string, unknown>;
};

/**
 * Raises an alarm, unless it is open or, of a kind that is raised once, was ever raised: a row, a
 * line in the log and a mail to the operator, in the transaction given or else in a new one.
 * Answers whether it was new.
 */
export async function raiseAlarm(ctx: Context, db: Database, alarm: Alarm): Promise<boolean> {
  const isNew = isTransaction(db)
    ? await record(ctx, db, alarm)
    : await db.transaction().execute((trx) => record(ctx, trx, alarm));
  if (isNew)
    ctx.log.error({ kind: alarm.kind, key: alarm.key, facts: alarm.facts }, alarm.sentence);
  return isNew;
}

function isTransaction(db: Database): db is DatabaseTransaction {
  return db.isTransaction;
}

async function record(ctx: Context, trx: DatabaseTransaction, alarm: Alarm): Promise<boolean> {
  const { kind, key, facilityId, ledgerId = null, sentence, facts } = alarm;
  const { rows } = await sql`
    INSERT INTO alarms (kind, key, facility_id, ledger_id, sentence, facts, raised_at)
    SELECT ${kind}::text, ${key}::text, ${facilityId}::uuid, ${ledgerId}::uuid, ${sentence}::text, ${JSON.stringify(facts)}::jsonb,
      ${ctx.clock.now()}::timestamptz
    WHERE NOT ${alarmKinds[kind].isOnce}::boolean OR NOT EXISTS (SELECT FROM alarms WHERE key = ${key})
    ON CONFLICT (key) WHERE closed_at IS NULL DO NOTHING
    RETURNING id`.execute(trx);
  if (rows.length === 0) return false;
  const to = ctx.config.operatorEmail ?? (await findFacilityEmail(trx, facilityId));
  if (to !== null)
    await queueMail(ctx, trx, {
      to,
      kind: 'alarm',
      about: kind,
      tenantId: null,
      email: () => alarmEmail({ ...alarm, advice: alarmKinds[kind].advice }),
    });
  return true;
}

async function findFacilityEmail(
  trx: DatabaseTransaction,
  facilityId: string | null,
): Promise<string | null> {
  if (facilityId === null) return null;
  const facility = await trx
    .selectFrom('facilities')
    .select('email')
    .where('id', '=', facilityId)
    .executeTakeFirst();
  return facility?.email ?? null;
}
