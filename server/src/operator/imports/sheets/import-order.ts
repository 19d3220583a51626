import { CompiledQuery } from 'kysely';
import { pino } from 'pino';
import type { LeasesReport } from '@gatehouse/contract/office/imports';
import type { LeaseImportAnswer } from '#app/lease-importer.ts';
import type { Config } from '#config/config.ts';
import type { ImportProgress, LeaseImport } from '#context/lease-import.ts';
import { openVault } from '#crypto/vault.ts';
import { openOwnerDatabase } from '#db/database.ts';
import type { RecheckStatus } from '#db/reach.ts';
import { StartFault } from '#errors/start-fault.ts';
import { openOwnersQueue } from '#jobs/queue.ts';
import { openLog } from '#telemetry/log.ts';
import { readGiven } from './column-map.ts';
import { headings } from './headings.ts';
import { importSheets, type SheetsResult } from './import-sheets.ts';
import { leftLines } from './left-lines.ts';
import { readRemedies, type FaultKind } from './sheet-faults.ts';

export type GivenOrder = { url: string; config: Config; order: LeaseImport };

/**
 * Does what a member of staff ordered in the office, as the owner of the database at `url`. What is
 * wrong with the files, and that the member no longer may, is an answer; other errors are thrown.
 */
export async function runOrder(
  { url, config, order }: GivenOrder,
  onProgress: (progress: ImportProgress) => void,
): Promise<LeaseImportAnswer> {
  const log = openLog(config.logLevel, pino.destination(2));
  const db = openOwnerDatabase(url);
  try {
    const queue = await openOwnersQueue(db, log);
    try {
      const clock = { now: () => order.now };
      const vault = openVault(config.dataKeys);
      const { lateFrom, joined, locationCode: facility, files, by, isPreview } = order;
      const remedies = readRemedies(order.remedies);
      if (remedies === null) throw new StartFault('A remedy is none that the report offers.');
      const given = Object.entries(order.columns).map(
        ([heading, field]) => `${heading}=${field ?? ''}`,
      );
      const mail = { config, clock, log, vault, enqueue: queue.enqueue };
      const { text, values } = by.recheck.first;
      await db.executeQuery(CompiledQuery.raw(text, values));
      const result = await importSheets(
        {
          db,
          vault,
          clock,
          mail,
          corporationCode: config.corporationCode,
          lateFrom,
          joined,
          by,
          onProgress: (of, progress) => onProgress({ of, ...progress }),
        },
        { files, facility, columns: readGiven(given), remedies },
        isPreview,
      );
      return { report: reportOf(result, isPreview) };
    } finally {
      await queue.stop();
    }
  } catch (error) {
    if (error instanceof StartFault) return { fault: error.message };
    const [, status] = /^GH(40[134])$/.exec((error as { code?: string }).code ?? '') ?? [];
    if (status !== undefined) return { refused: Number(status) as RecheckStatus };
    throw error;
  } finally {
    await db.destroy();
  }
}

function reportOf(result: SheetsResult, isPreview: boolean): LeasesReport {
  const { files, leases, left, withoutSignIn, faults, faultyRows, import: done } = result;
  return {
    isDone: !isPreview && faults.length === 0 && done !== null && done.imported.length > 0,
    files,
    fields: Object.keys(headings),
    leases,
    left: leftLines(left),
    withoutSignIn,
    faults: faults.map(({ remedies, ...group }) => ({
      ...group,
      remedies: remedies.map((one) => asked(group.kind, one)),
    })),
    faultyRows: faultyRows === '' ? '' : `\uFEFF${faultyRows}`,
    balances: done?.money.facilities ?? [],
    firstDays: done?.firstDays ?? [],
  };
}

const ASKING: FaultKind[] = ['area-code', 'size', 'no-size', 'no-type', 'facility'];

/** A remedy that needs a value, with an example of it. */
function asked(kind: FaultKind, { remedy, says }: { remedy: string; says: string }) {
  const [name = '', example = ''] = remedy.split('=');
  return ASKING.includes(kind) && example !== 'leave-out' && example !== ''
    ? { remedy: `${name}=`, says, example }
    : { remedy, says, example: null };
}
