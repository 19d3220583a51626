import type { importLeases, LeasesReport } from '@gatehouse/contract/office/imports';
import type { z } from 'zod/mini';
import type { AuditedRequest } from '#context/audit.ts';
import type { Context } from '#context/context.ts';
import { Refusal } from '#errors/refusal.ts';
import { StartFault } from '#errors/start-fault.ts';
import { bytesOf } from '#features/base/images/data-url.ts';
import { recheckOf, type StaffMember } from '#http/staff-guard.ts';

type Body = z.output<NonNullable<(typeof importLeases)['body']>>;

/**
 * Imports lease sheets, or says what an import of them would do. Refuses with 422 what the importer
 * cannot read.
 */
export async function importSheets(
  work: Context,
  staff: StaffMember,
  { data, files, ...given }: Body,
  request: AuditedRequest,
): Promise<LeasesReport> {
  const bytes = bytesOf(data);
  if (bytes === null || files.reduce((sum, file) => sum + file.bytes, 0) !== bytes.length)
    throw new Refusal(422, 'The files did not arrive whole. Please choose them again.');
  let at = 0;
  const parts = files.map((file) => ({
    name: file.name,
    bytes: new Uint8Array(bytes.subarray(at, (at += file.bytes))),
  }));
  const { statement, refusalOf } = recheckOf(staff);
  const by = {
    name: staff.name,
    request,
    recheck: { first: statement(true), last: statement(false) },
  };
  return work
    .importLeases({ ...given, files: parts, now: work.clock.now(), by }, refusalOf)
    .catch((error: unknown) => {
      throw error instanceof StartFault ? new Refusal(422, error.message) : error;
    });
}
