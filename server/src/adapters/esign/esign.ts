import type { EsignDocument } from '@gatehouse/contract/esign';
import type { Database } from '#db/database.ts';

/** The service that has tenants sign documents. Both calls throw EsignUnavailable where it is one outside. */
export type EsignService = {
  /** Whether it sends documents again by itself; where it does not, staff do, whom a message asks. */
  sendsByItself: boolean;
  /** The documents of the rentals, by form name. `db` reaches no more than who asks may see. */
  list(db: Database, ledgerIds: string[]): Promise<EsignDocument[]>;
  /**
   * Sends what waits for the tenant's signature again. The same `id` again is the same wish, and is granted once. Answers the
   * names of the forms.
   */
  resend(ledgerId: string, id: string): Promise<string[]>;
};

/** The signing service cannot be reached or answers nonsense. */
export class EsignUnavailable extends Error {
  override name = 'EsignUnavailable';
}
