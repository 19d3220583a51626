import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Context } from '@gatehouse/server/src/context.ts';
import { faultText } from '@gatehouse/server/src/features/imports/faults.ts';
import { importFolder } from '@gatehouse/server/src/features/imports/import.ts';
import { Refusal } from '@gatehouse/server/src/refusal.ts';
import type { Session } from './session.ts';

/** Files of an import by their names. */
export type ImportFiles = [name: string, text: string][];

/**
 * Imports files as the command does, as the owner of the tables, on a session that is kept. Refuses with what the rules of
 * the files say.
 */
export async function importFiles(session: Session, ctx: Context, files: ImportFiles): Promise<void> {
  const { db, vault, clock } = ctx;
  const fixture = { db, vault, clock, mail: ctx, corporationCode: 'ANCHOR', onProgress: () => {} };
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-model-'));
  let outcome: { faults: string[] } | { error: unknown } = { faults: [] };
  try {
    for (const [name, text] of files) await writeFile(join(folder, name), text);
    await session.asOwner(async () => {
      outcome = await importFolder(fixture, folder, false).then(
        ({ faults }) => ({ faults: faults.listed.map(faultText) }),
        (error: unknown) => ({ error }),
      );
      // The staged rows of a command go with its connection.
      await session.raw('DISCARD TEMP');
    });
  } finally {
    await rm(folder, { recursive: true });
  }
  if ('error' in outcome) throw outcome.error;
  if (outcome.faults.length > 0) throw new Refusal(422, outcome.faults.join(' '));
}
