import { sql } from 'kysely';
import type { Context } from '#context.ts';

const BATCH = 500;

/**
 * Forgets what is older than docs/retention.md keeps it, batch after batch. The periods are the database's (migration 21):
 * the serving role may not delete most of it, nor say what time it is.
 */
export async function forgetOldRows({ db, enqueue }: Context): Promise<void> {
  for (let most = BATCH; most === BATCH;) {
    const { rows } = await sql<{ most: number }>`SELECT forget_old_rows(${BATCH}) AS most`.execute(db);
    most = rows[0]!.most;
  }
  for (let count = BATCH; count === BATCH;)
    count = await db.transaction().execute(async (trx) => {
      const { rows } = await sql<{ key: string }>`SELECT forget_old_images(${BATCH}) AS key`.execute(trx);
      for (const { key } of rows) await enqueue(trx, { name: 'sweep-file', data: { key } });
      return rows.length;
    });
}
