import { randomUUID } from 'node:crypto';
import { jsonOf, type Answer, type Call } from './client.ts';
import { newCard } from './orders.ts';
import type { TenantRecord } from './actors.ts';
import { idsOf, type Ids, type Site } from './site.ts';
import { makeMember, verbCall } from './staff.ts';

/**
 * The call by which a member of staff makes a pay link for what a rental owes and mails it. The
 * member and the session are written for it.
 */
export async function payLinkCall(
  { db: { owner }, addresses: [address] }: Pick<Site, 'db' | 'addresses'>,
  ledgerId: string,
): Promise<Call> {
  const { facility_id } = await owner
    .selectFrom('ledgers')
    .innerJoin('units', 'units.id', 'ledgers.unit_id')
    .select('units.facility_id')
    .where('ledgers.id', '=', ledgerId)
    .executeTakeFirstOrThrow();
  const clerk = await makeMember(owner, 'clerk', [facility_id]);
  return verbCall(clerk, address!, 'payLinks.create', { ledgerId, isMailed: true });
}

/** The token of the link and its sum in dollars, by the answer to its creation. */
export function payLinkOf(answer: Answer): { token: string; amount: number } {
  if (answer.status !== 200) throw new Error(`no pay link: ${answer.status} ${answer.text}`);
  const { url, amount } = jsonOf(answer) as { url: string; amount: number }; // as the verb answers
  return { token: url.slice(url.lastIndexOf('/') + 1), amount };
}

/** The ids of a record's owing rental, with the token of a new pay link for what it owes. */
export async function idsWithPayLink(site: Site, record: TenantRecord): Promise<Ids> {
  const ids = idsOf(record);
  const answer = await site.send(await payLinkCall(site, ids.ledgerId));
  return { ...ids, token: payLinkOf(answer).token };
}

/** A payment by a link, under a key of its own. */
export function payByLinkCall(
  { token, amount }: { token: string; amount: number },
  method: object = newCard(),
): Call {
  return {
    method: 'POST',
    path: `/api/pay-links/${token}/payments`,
    headers: { 'idempotency-key': randomUUID() },
    body: { amount, ...method },
  };
}
