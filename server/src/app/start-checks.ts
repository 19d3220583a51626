import { constants } from 'node:fs';
import { access, mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { DEFAULT_CORPORATION_CODE } from '#config/environment.ts';
import { checkEnvironment, environmentFault, type Given } from '#config/environment-faults.ts';
import { openOwnerDatabase } from '#db/database.ts';
import { portalFault } from '#http/pages.ts';
import { checkHasNoDemo, checkUsable } from '#app/prepare.ts';
import { StartFault } from '#errors/start-fault.ts';

/**
 * Checks everything that the live profile needs (settings, database, folders, built portal) and
 * reports all faults at once, as a StartFault. The sandbox profile is not checked in advance.
 */
export async function checkSurroundings(env: NodeJS.ProcessEnv): Promise<void> {
  const { faults, given } = checkEnvironment(env);
  if (given.PROFILE !== 'live') return;
  const portal = portalFault(given.CORPORATION_CODE ?? DEFAULT_CORPORATION_CODE);
  faults.push(
    ...(portal === null ? [] : [portal]),
    ...(await databaseFaults(given)),
    ...(await folderFaults(given)),
  );
  if (faults.length > 0) throw environmentFault(faults);
}

async function databaseFaults({ DATABASE_URL }: Given): Promise<string[]> {
  if (DATABASE_URL === undefined) return [];
  try {
    await using owner = openOwnerDatabase(DATABASE_URL);
    await checkUsable(owner);
    await checkHasNoDemo(owner);
    return [];
  } catch (error) {
    if (!(error instanceof StartFault)) throw error;
    return [error.message];
  }
}

/**
 * A server that finds its folder closed with the first photo has been half configured all the time.
 */
async function folderFaults({ FILES = 'disk', DATA_DIR = './data' }: Given): Promise<string[]> {
  if (FILES !== 'disk') return [];
  const folder = join(resolve(DATA_DIR), 'files');
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await access(folder, constants.W_OK | constants.X_OK);
    return [];
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return [
      `Photos cannot be stored in ${folder} (${code ?? 'unknown fault'}); set DATA_DIR to a folder of this user.`,
    ];
  }
}
