import type { ClientBase } from 'pg';
import { fromKysely, PgBoss, type JobInsert } from 'pg-boss';
import { z } from 'zod';
import type { Database } from '#db/database.ts';

/**
 * The unfinished jobs, one JSON object a row, as stored in a backup. Running ones are included,
 * because their workers do not exist where it is restored.
 */
export const WAITING_JOBS = `
  SELECT json_build_object('id', id, 'name', name, 'data', data, 'priority', priority, 'singletonKey', singleton_key,
    'group', group_id, 'startAfter', start_after)
  FROM pgboss.job WHERE state IN ('created', 'retry', 'active')`;

const waitingJob = z.object({
  id: z.uuid(),
  name: z.string(),
  data: z.record(z.string(), z.unknown()).nullable(),
  priority: z.int(),
  singletonKey: z.string().nullable(),
  group: z.string().nullable(),
  startAfter: z.string(),
});

/**
 * Queues jobs again, in the transaction of `client`, each with all its retries. A job without a
 * queue in this version is left out. `owner` reads the queues, which must exist.
 */
export async function putBackJobs(
  owner: Database,
  client: ClientBase,
  jobs: unknown[],
): Promise<void> {
  const boss = new PgBoss({
    db: fromKysely(owner),
    supervise: false,
    schedule: false,
    migrate: false,
  });
  boss.on('error', () => {});
  await boss.start();
  try {
    const known = new Set((await boss.getQueues()).map(({ name }) => name));
    const byQueue = Map.groupBy(z.array(waitingJob).parse(jobs), ({ name }) => name);
    for (const [name, ofQueue] of byQueue) {
      if (!known.has(name)) continue;
      const db = { executeSql: (text: string, values?: unknown[]) => client.query(text, values) };
      await boss.insert(name, ofQueue.map(asInsert), { db });
    }
  } finally {
    await boss.stop({ graceful: false });
  }
}

function asInsert({
  id,
  data,
  priority,
  singletonKey,
  group,
  startAfter,
}: z.infer<typeof waitingJob>): JobInsert {
  return {
    id,
    data: data ?? {},
    priority,
    startAfter,
    ...(singletonKey !== null && { singletonKey }),
    ...(group !== null && { group: { id: group } }),
  };
}
