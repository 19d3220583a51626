import { sql, type RawBuilder } from 'kysely';
import { inBatches } from '#db/batches.ts';
import type { Context } from '#context/context.ts';
import { doEach } from '#context/each.ts';

const BATCH = 500;

/**
 * The tables whose old rows are deleted, and the texts of mails, which are deleted before their
 * rows. Referencing tables come first.
 */
const kinds = [
  ...[
    'sessions',
    'mail_texts',
    'mails',
    'requests',
    'gateway_events',
    'autopay_updates',
    'mandates',
  ],
  ...['audit_events', 'webhook_deliveries'],
];

/**
 * Deletes what is older than the periods of docs/retention.md, kind by kind in batches; a kind that
 * fails does not affect the others. The periods and the time are the database's (forget_old_rows),
 * because the serving role may not delete most rows itself. Replies and events are deleted with
 * their request.
 */
export async function forgetOldRows({ db }: Context): Promise<void> {
  await doEach(kinds, { atOnce: 1, what: 'kinds of rows could not be forgotten' }, async (kind) => {
    await inBatches(BATCH, async (limit) => {
      const { rows } = await sql<{
        count: number;
      }>`SELECT forget_old_rows(${kind}, ${limit}) AS count`.execute(db);
      return rows[0]!.count;
    });
  });
}

/**
 * The parts of text messages, kind by kind: the texts of sent ones, their rows, codes, answers and
 * consents.
 */
const textKinds = ['bodies', 'texts', 'codes', 'replies', 'consents'];

/** Deletes what is older of text messages, as `forgetOldRows` does (forget_old_texts). */
export async function forgetOldTexts({ db }: Context): Promise<void> {
  await doEach(
    textKinds,
    { atOnce: 1, what: 'kinds of text messages could not be forgotten' },
    (kind) =>
      inBatches(BATCH, async (limit) => {
        const { rows } = await sql<{
          count: number;
        }>`SELECT forget_old_texts(${kind}, ${limit}) AS count`.execute(db);
        return rows[0]!.count;
      }),
  );
}

/** Deletes from where staff acted, and leaves what they did (forget_old_staff_origins). */
export async function forgetOldStaffOrigins({ db }: Context): Promise<void> {
  await inBatches(BATCH, async (limit) => {
    const { rows } = await sql<{
      count: number;
    }>`SELECT forget_old_staff_origins(${limit}) AS count`.execute(db);
    return rows[0]!.count;
  });
}

/** Photos are deleted with their files after the request or record that they belong to. */
export function forgetOldImages(ctx: Context): Promise<void> {
  return forgetWithFiles(
    ctx,
    (limit) => sql<{ key: string }>`SELECT forget_old_images(${limit}) AS key`,
  );
}

/** Papers are deleted with their files: after they were replaced, and after their rental. */
export function forgetOldVehiclePapers(ctx: Context): Promise<void> {
  return forgetWithFiles(
    ctx,
    (limit) => sql<{ key: string }>`SELECT forget_old_vehicle_papers(${limit}) AS key`,
  );
}

async function forgetWithFiles(
  { db, enqueue }: Context,
  forget: (limit: number) => RawBuilder<{ key: string }>,
): Promise<void> {
  await inBatches(BATCH, (limit) =>
    db.transaction().execute(async (trx) => {
      const { rows } = await forget(limit).execute(trx);
      for (const { key } of rows) await enqueue(trx, { name: 'sweep-file', data: { key } });
      return rows.length;
    }),
  );
}
