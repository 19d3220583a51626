import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Context } from '@gatehouse/server/src/context/context.ts';
import { faultText } from '@gatehouse/server/src/operator/imports/faults.ts';
import { importFolder } from '@gatehouse/server/src/operator/imports/import.ts';
import { Refusal } from '@gatehouse/server/src/errors/refusal.ts';
import type { Session } from './session.ts';

/** Files of an import by their names. */
export type ImportFiles = [name: string, text: string][];

/**
 * Imports files as the command does, as the owner of the tables, on an existing session. Refuses
 * with the faults of the files.
 */
export async function importFiles(
  session: Session,
  ctx: Context,
  files: ImportFiles,
): Promise<void> {
  const { db, vault, clock } = ctx;
  const fixture = {
    db,
    vault,
    clock,
    mail: ctx,
    corporationCode: 'ANCHOR',
    lateFrom: null,
    joined: [],
    onProgress: () => {},
  };
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-model-'));
  let outcome: { faults: string[] } | { error: unknown } = { faults: [] };
  try {
    for (const [name, text] of files) await writeFile(join(folder, name), text);
    await session.asOwner(async () => {
      outcome = await importFolder(fixture, folder, false).then(
        ({ faults }) => ({ faults: faults.listed.map(faultText) }),
        (error: unknown) => ({ error }),
      );
      // A command's staged rows end with its connection.
      await session.raw('DISCARD TEMP');
    });
  } finally {
    await rm(folder, { recursive: true });
  }
  if ('error' in outcome) throw outcome.error;
  if (outcome.faults.length > 0) throw new Refusal(422, outcome.faults.join(' '));
}
