import type { LeasesReport } from '@gatehouse/contract/office/imports';
import type { Recheck, Statement } from '#db/reach.ts';

/** Lease sheets that a member of staff imports, and how they are to be read. */
export type LeaseImport = {
  isPreview: boolean;
  files: { name: string; bytes: Uint8Array }[];
  locationCode: string | null;
  columns: Record<string, string | null>;
  remedies: string[];
  joined: string[];
  lateFrom: string | null;
  now: Date;
  /**
   * The row of the import, and who does it by which request, as `AuditedRequest` has it, for the
   * audit trail; and the statements that fail unless they still may.
   */
  by: {
    importId: string;
    name: string;
    request: { ip: string; requestId: string; userAgent?: string | null; staffId?: string };
    recheck: { first: Statement; last: Statement };
  };
};

/**
 * Runs an import where it cannot hold the process, whatever the files are. Throws a StartFault for
 * what can be put right in the files, and where the time or the memory does not suffice; and
 * `refusalOf` where the member no longer may.
 */
export type LeaseImporter = (
  order: LeaseImport,
  refusalOf: Recheck['refusalOf'],
  run: { onProgress: (progress: ImportProgress) => void; signal: AbortSignal },
) => Promise<LeasesReport>;

/** What an import does now, and how much of it is done. */
export type ImportProgress = { of: string; done: number; total: number };
