import { execFileSync } from 'node:child_process';
import { mkdir, readdir, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Database } from '@gatehouse/server/src/db/database.ts';
import { testClockShift } from '@gatehouse/server/test/test-day.ts';
import type { makeWorld } from './world.ts';

/** The version of Gatehouse before its newest migrations, checked out into a separate folder. */
export type OlderVersion = {
  commit: string;
  main: string;
  /** Makes its tables and its queue. */
  migrate(owner: Database): Promise<void>;
  makeWorld: typeof makeWorld;
  /** Its setting LIMITS: it refuses to start with names that it does not know. */
  wideLimits: string;
  /** How far the clock of its world is ahead: none where it has no setting for its server's. */
  clockShiftMs: number;
};

const root = fileURLToPath(new URL('../../../', import.meta.url));
const MIGRATIONS = 'server/src/db/migrations';

/**
 * Checks out the version before the last so many commits that added migrations, with the current
 * packages. Null if there is no Git history.
 */
export async function takeOlderVersion(folder: string, back: number): Promise<OlderVersion | null> {
  const commit = findCommit(back);
  if (commit === null) return null;
  await rm(folder, { recursive: true, force: true });
  await mkdir(join(folder, 'node_modules/@gatehouse'), { recursive: true });
  const workspaces = ['contract', 'server', workspaceOfHarness(commit)];
  const archive = execFileSync('git', ['archive', commit, 'package.json', ...workspaces], {
    cwd: root,
    maxBuffer: 1 << 29,
  });
  execFileSync('tar', ['-x', '-C', folder], { input: archive });
  for (const name of await readdir(join(root, 'node_modules')))
    if (name !== '@gatehouse')
      await symlink(join(root, 'node_modules', name), join(folder, 'node_modules', name));
  for (const name of workspaces)
    await symlink(join(folder, name), join(folder, 'node_modules/@gatehouse', name));
  await symlink(join(root, 'server/node_modules'), join(folder, 'server/node_modules'));
  const load = (path: string): Promise<unknown> => import(pathToFileURL(join(folder, path)).href);
  // The older ones of the same files.
  const database = (await load(
    'server/src/db/database.ts',
  )) as typeof import('@gatehouse/server/src/db/database.ts');
  const queue = (await load(
    'server/src/jobs/queue.ts',
  )) as typeof import('@gatehouse/server/src/jobs/queue.ts');
  const world = (await load(
    `${workspaces[2]}/src/harness/world.ts`,
  )) as typeof import('./world.ts');
  const config = (await load(
    'server/src/config/config.ts',
  )) as typeof import('@gatehouse/server/src/config/config.ts');
  const limits = (await load(
    'server/test/wide-limits.ts',
  )) as typeof import('@gatehouse/server/test/wide-limits.ts');
  return {
    commit,
    main: join(folder, 'server/src/main.ts'),
    async migrate(owner) {
      await database.migrate(owner);
      await queue.migrateQueue(owner);
    },
    makeWorld: world.makeWorld,
    wideLimits: limits.WIDE_LIMITS,
    clockShiftMs: Object.hasOwn(config.environment.shape, 'CLOCK_SHIFT_MS') ? testClockShift() : 0,
  };
}

/** Versions from before `trials` had the harness in `proof`. */
function workspaceOfHarness(commit: string): string {
  const names = execFileSync('git', ['ls-tree', '--name-only', commit], {
    cwd: root,
    encoding: 'utf8',
  });
  return names.split('\n').includes('trials') ? 'trials' : 'proof';
}

function findCommit(back: number): string | null {
  try {
    // Commits of branches were no versions: their migrations had another order.
    const history = [
      'log',
      '--first-parent',
      '-m',
      '--format=%H',
      '--diff-filter=A',
      '--',
      MIGRATIONS,
    ];
    const added = execFileSync('git', history, {
      cwd: root,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const commit = added.trim().split('\n')[back - 1];
    if (commit === undefined || commit === '') return null;
    return execFileSync('git', ['rev-parse', `${commit}^`], {
      cwd: root,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim();
  } catch {
    return null;
  }
}
