import type { EsignDocument } from '@gatehouse/contract/esign';
import type { Database } from '#db/database.ts';

/** The signing service. Both calls throw EsignUnavailable where it is an external one. */
export type EsignService = {
  /**
   * Whether it is another server, which may take seconds to answer and resends documents itself;
   * otherwise staff are asked by mail to do so.
   */
  isRemote: boolean;
  /**
   * The documents of the rentals, by form name. `db` is limited to the rows that the caller may
   * see.
   */
  list(db: Database, ledgerIds: string[]): Promise<EsignDocument[]>;
  /**
   * Resends what waits for the tenant's signature. Idempotent by `id`. Returns the names of the
   * forms.
   */
  resend(ledgerId: string, id: string): Promise<string[]>;
};

/** The signing service cannot be reached or its answer is invalid. */
export class EsignUnavailable extends Error {
  override name = 'EsignUnavailable';
}
