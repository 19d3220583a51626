import { createHash } from 'node:crypto';
import { mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { writeWholeFile } from '../files/whole-file.ts';
import {
  differing,
  GateUnavailable,
  type GateController,
  type GateUnit,
  type UnitState,
} from './controller.ts';

const HEADER = 'unit,code,schedule_id,schedule,suspended';

/**
 * Writes a file for each facility, named by its location code, into a folder that the gate's own
 * software reads: all units with a code, a line for each code, as CSV in UTF-8 with CRLF line
 * ends. Files are replaced atomically and readable by the server's user only (0600).
 */
export function createFileGate(folder: string): GateController {
  // The location code is the operator's text and may hold any character.
  const pathOf = (facility: string) =>
    join(folder, `${encodeURIComponent(facility).replaceAll('.', '%2E')}.csv`);

  async function write(facility: string, units: GateUnit[]): Promise<void> {
    const path = pathOf(facility);
    await orUnavailable(async () => {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      await writeWholeFile(
        path,
        `${path}.part`,
        Buffer.from(`${[HEADER, ...linesOf(units)].join('\r\n')}\r\n`),
      );
    });
  }

  return {
    target: `file ${createHash('sha256').update(folder).digest('hex')}`,
    async ping() {
      const path = join(folder, '.ping');
      await orUnavailable(async () => {
        await mkdir(folder, { recursive: true, mode: 0o700 });
        await writeWholeFile(path, `${path}.part`, Buffer.from(''));
        await rm(path);
      });
    },
    push: async ({ facility }, _changes, readAll) => write(facility, await readAll()),

    async replace({ facility }, units) {
      const before = await orUnavailable(() =>
        readFile(pathOf(facility), 'utf8').catch(emptyIfMissing),
      );
      await write(facility, units);
      const had = before.split('\r\n').filter((line) => line !== '' && line !== HEADER);
      return differing(had.map(stateOf), linesOf(units).map(stateOf));
    },
  };
}

function linesOf(units: GateUnit[]): string[] {
  return units.flatMap(({ unit, access }) => {
    if (access === null) return [];
    const { code, otherCodes = [], scheduleId, schedule, isSuspended } = access;
    return [code, ...otherCodes].map((one) =>
      [quoted(unit), quoted(one), scheduleId, quoted(schedule), isSuspended ? 'yes' : 'no'].join(),
    );
  });
}

/** Always quoted, so that a code of digits keeps its leading zeros. */
function quoted(text: string): string {
  return `"${text.replaceAll('"', '""')}"`;
}

/** Reads a line of the file, which may have been edited by hand. */
function stateOf(line: string): UnitState {
  const [, inQuotes, plain = ''] = /^(?:"((?:[^"]|"")*)"|([^,]*))/.exec(line) ?? [];
  return { unit: inQuotes?.replaceAll('""', '"') ?? plain, state: line };
}

function emptyIfMissing(error: NodeJS.ErrnoException): string {
  if (error.code === 'ENOENT') return '';
  throw error;
}

async function orUnavailable<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw new GateUnavailable('the folder of the gate cannot be used', { cause: error });
  }
}
