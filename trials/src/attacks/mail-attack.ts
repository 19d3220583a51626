import { inLanes } from '../harness/lanes.ts';
import type { Stage } from '../harness/proof.ts';
import { openSmtpSink } from '@gatehouse/server/test/smtp.ts';
import { untilMailsAreSent } from '../harness/until.ts';
import { idsWithPayLink } from '../harness/pay-links.ts';
import { callOf, openSite } from '../harness/site.ts';
import { headerOf, readMail, type MailSource } from './mail-source.ts';
import { textFields } from './text-fields.ts';
import { findRows } from '@gatehouse/server/test/rows.ts';

const OPERATOR = 'operator@example.com';
const LANES = 6;

/** What came out of texts of an attacker in every field of every call, by a real mail server. */
export type MailAttack = {
  sent: number;
  taken: number;
  statuses: Map<number, number>;
  mails: (MailSource & { to: string[] })[];
  /**
   * Who may get mail: the facility, the operator, the tenant, and an address that was looked up,
   * its own mail.
   */
  ours: Set<string>;
  deaths: number;
};

/**
 * Puts `each` of the payloads, by turns, into every place for text of every call, and waits for the
 * mails that go out.
 */
export async function attackMails(
  stage: Stage,
  payloads: string[],
  each: number,
): Promise<MailAttack> {
  const sink = await openSmtpSink();
  const site = await openSite(stage, { env: { SMTP_URL: sink.url, OPERATOR_EMAIL: OPERATOR } });
  const { a } = site.actors;
  const ids = await idsWithPayLink(site, a.records[0]);
  const fields = textFields(ids);
  const tries = fields.flatMap((field, index) =>
    Array.from({ length: each }, (_, turn) => ({
      field,
      payload: payloads[(index * each + turn) % payloads.length]!,
    })),
  );
  const statuses = new Map<number, number>();
  const lookedUp: string[] = [];
  await inLanes(tries.length, LANES, async (index) => {
    const { field, payload } = tries[index]!;
    const body = field.with(payload);
    const { status } = await site.send(callOf(field.name, ids, { token: a.token, body }));
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
    if (field.name === 'register' && status === 200)
      lookedUp.push((body as { email: string }).email.trim());
  });
  await untilMailsAreSent(site.db);
  const facilities = await findRows(site.db.owner, 'facilities', 'email');
  const attack = {
    sent: tries.length,
    taken: statuses.get(200) ?? 0,
    statuses,
    mails: sink.received.map(({ to, raw }) => ({ ...readMail(raw), to })),
    ours: new Set([
      OPERATOR,
      a.email,
      ...lookedUp,
      ...facilities.flatMap(({ email }) => email ?? []),
    ]),
    deaths: site.deaths(),
  };
  await site.close();
  await sink.close();
  return attack;
}

/** The names of a mail's headers, in order: the same for all mails of a kind. */
export function headerNames({ headers }: MailSource): string {
  return headers.map(([name]) => name).join(' ');
}

/** The addresses that a mail says it is for. */
export function addressees({ headers }: MailSource): string[] {
  return ['to', 'cc', 'bcc'].flatMap(
    (name) => headerOf(headers, name).match(/[^\s<>,;"]+@[^\s<>,;"]+/g) ?? [],
  );
}
