import { sql } from 'kysely';
import type { Context } from '#context/context.ts';
import { raiseAlarm } from '#features/base/alarms/alarms.ts';
import { MOST_REFUSALS_OF_ALL, MOST_REFUSALS_OF_ONE } from '#http/refusals.ts';

const ALARMING = { failures: 200, accounts: 50, minutes: 60 };

/**
 * Raises an alarm, once an hour each: where sign-ins fail far more often than tenants mistype, and
 * where one user, one address or all together asked for more ids of others than the audit trail
 * records.
 */
export async function watchAccess(ctx: Context): Promise<void> {
  await watchSignIns(ctx);
  await watchRefusals(ctx);
}

async function watchSignIns(ctx: Context): Promise<void> {
  const now = ctx.clock.now();
  const { rows } = await sql<{ failures: number; accounts: number }>`
    SELECT count(*)::integer AS failures, count(DISTINCT account)::integer AS accounts
    FROM audit_events WHERE kind = 'sign_in_failed' AND at > ${since(now)}`.execute(ctx.db);
  const { failures, accounts } = rows[0]!;
  if (failures < ALARMING.failures && accounts < ALARMING.accounts) return;
  await raiseAlarm(ctx, ctx.db, {
    kind: 'sign_in_failures',
    key: `sign_in_failures ${hourOf(now)}`,
    facilityId: null,
    sentence: `${failures} sign-ins to ${accounts} accounts failed within the last hour: somebody may be guessing passwords.`,
    facts: { failures, accounts },
  });
}

async function watchRefusals(ctx: Context): Promise<void> {
  const now = ctx.clock.now();
  const { rows: users } = await sql<{ userId: string; facilityId: string; refused: number }>`
    SELECT user_id AS "userId", min(facility_id::text) AS "facilityId", count(*)::integer AS refused
    FROM audit_events WHERE kind = 'access_refused' AND at > ${since(now)}
    GROUP BY user_id HAVING count(*) >= ${MOST_REFUSALS_OF_ONE} ORDER BY user_id`.execute(ctx.db);
  for (const { userId, facilityId, refused } of users)
    await raiseAlarm(ctx, ctx.db, {
      kind: 'access_probing',
      key: `access_probing ${userId} ${hourOf(now)}`,
      facilityId,
      sentence: `One user was refused at least ${refused} times within the last hour: ids of others were asked for, or a copied token was used.`,
      facts: { userId, refused },
    });
  // One address with several sign-ins: each of them may stay below the number of one.
  const { rows: addresses } = await sql<{ ip: string; users: number; refused: number }>`
    SELECT ip, count(DISTINCT user_id)::integer AS users, count(*)::integer AS refused
    FROM audit_events WHERE kind = 'access_refused' AND at > ${since(now)}
    GROUP BY ip HAVING count(*) >= ${MOST_REFUSALS_OF_ONE} AND count(DISTINCT user_id) > 1 ORDER BY ip`.execute(
    ctx.db,
  );
  for (const { ip, users: count, refused } of addresses)
    await raiseAlarm(ctx, ctx.db, {
      kind: 'access_probing',
      key: `access_probing ${ip} ${hourOf(now)}`,
      facilityId: null,
      sentence: `${count} users at one address were refused at least ${refused} times within the last hour: ids of others were asked for, or copied tokens were used.`,
      facts: { ip, users: count, refused },
    });
  const { rows } = await sql<{ refused: number }>`
    SELECT count(*)::integer AS refused FROM audit_events
    WHERE kind = 'access_refused' AND at > ${since(now)}`.execute(ctx.db);
  const { refused } = rows[0]!;
  if (refused < MOST_REFUSALS_OF_ALL) return;
  await raiseAlarm(ctx, ctx.db, {
    kind: 'access_probing',
    key: `access_probing all ${hourOf(now)}`,
    facilityId: null,
    sentence: `Users were refused at least ${refused} times within the last hour; the audit trail records no more of it.`,
    facts: { refused },
  });
}

function since(now: Date) {
  return sql`${now}::timestamptz - make_interval(mins => ${ALARMING.minutes})`;
}

function hourOf(now: Date): string {
  return now.toISOString().slice(0, 13);
}
