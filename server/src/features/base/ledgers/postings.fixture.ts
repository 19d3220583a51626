import type { Database } from '#db/database.ts';
import type { PostedPayment } from './books.ts';
import { readBooksWithPayments } from './postings.ts';

/** A posted payment or credit as it is now. Throws for an entry that is none. */
export async function getPostedPayment(
  db: Database,
  entryId: string,
): Promise<PostedPayment & { ledgerId: string }> {
  const [books] = await readBooksWithPayments(db, [entryId]);
  const payment = books?.payments[0];
  if (books === undefined || payment === undefined)
    throw new Error(`the entry ${entryId} is no payment or credit`);
  return { ...payment, ledgerId: books.ledgerId };
}
