import type { Database, DatabaseTransaction } from './database.ts';

/**
 * Runs `work` in a transaction and answers what it does. A preview does the same work and rolls it
 * back, with the jobs and mails that were queued in it.
 */
export async function runOrPreview<Answer>(
  db: Database,
  isPreview: boolean,
  work: (trx: DatabaseTransaction) => Promise<Answer>,
): Promise<Answer> {
  if (!isPreview) return db.transaction().execute(work);
  const rollback = new Error('previewed');
  let answer: Answer | undefined;
  try {
    await db.transaction().execute(async (trx) => {
      answer = await work(trx);
      throw rollback;
    });
  } catch (error) {
    if (error !== rollback) throw error;
  }
  // Set before the rollback.
  return answer as Answer;
}
