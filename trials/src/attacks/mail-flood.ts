import { limits } from '@gatehouse/server/src/config/limits.ts';
import { openSmtpSink, type SmtpSink } from '@gatehouse/server/test/smtp.ts';
import { testClock } from '@gatehouse/server/test/test-day.ts';
import { sql } from 'kysely';
import type { Person } from '../harness/actors.ts';
import { newAccount, newCard } from '../harness/orders.ts';
import { mustBe, type Figure, type Stage } from '../harness/proof.ts';
import { callOf, idsOf, openSite, type Site } from '../harness/site.ts';
import { untilNoneLeft } from '../harness/until.ts';
import { headerOf, readMail } from './mail-source.ts';

const STRANGER = 'stranger@example.com';
const [SWITCHES, PAYMENTS, LOOKUPS] = [16, 12, 15];

/** Limits other than those of mails, so wide that they refuse nothing. */
const OTHERS_WIDE = Object.keys(limits)
  .filter((name) => !/mails/.test(name))
  .map((name) => `${name}=100000000`)
  .join(',');

/** A tenant and a stranger cause as many mails as they can, under the limits of an operator. */
export async function floodMails(stage: Stage): Promise<Figure[]> {
  const sink = await openSmtpSink();
  const site = await openSite(stage, { env: { SMTP_URL: sink.url, LIMITS: OTHERS_WIDE } });
  const { a, b, c, d, e } = site.actors;
  const statuses = [
    ...(await switchAutopay(site, a)),
    ...(await payByBank(site, b)),
    ...(await lookUpStranger(site, [a, b, c, d, e])),
  ];
  const left = await untilDecided(site);
  const atOnce = counting(sink);
  const figures = [
    mustBe('calls of the flood that were refused', statuses.filter((one) => one !== 200).length, 0),
    mustBe('mails of the flood about which nothing is decided', left, 0),
    mustBe('mails at once to the tenant who switches autopay', atOnce(a.email).length, 1),
    mustBe('receipts at once to the tenant who pays', atOnce(b.email).length, 1),
    mustBe(
      'mails to the stranger',
      atOnce(STRANGER).length,
      limits['not-on-file-mails-to-an-address-a-day'].most,
    ),
  ];
  await passWindows(site);
  const leftLater = await untilDecided(site);
  const later = counting(sink);
  figures.push(
    mustBe('mails of the flood that do not go out later', leftLater, 0),
    mustBe('mails later to the tenant who switches autopay', later(a.email).length, 1),
    mustBe('mails later to the tenant who pays', later(b.email).length, 1),
    mustBe('changes in that of autopay', partsOf(later(a.email)), SWITCHES - 1),
    mustBe('receipts in that of payments', partsOf(later(b.email)), PAYMENTS - 1),
    mustBe('further mails to the stranger', later(STRANGER).length, 0),
    mustBe('servers of the flood that ended by themselves', site.deaths(), 0),
  );
  await site.close();
  await sink.close();
  return figures;
}

async function switchAutopay(site: Site, { token, records }: Person): Promise<number[]> {
  const ids = idsOf(records[0]);
  const statuses = [];
  for (let nth = 0; nth < SWITCHES; nth++) {
    const call =
      nth % 2 === 0
        ? callOf('updateAutopay', ids, { token, body: newCard() })
        : callOf('stopAutopay', ids, { token });
    statuses.push((await site.send(call)).status);
  }
  return statuses;
}

async function payByBank(site: Site, { token, records }: Person): Promise<number[]> {
  const ids = idsOf(records[0]);
  const statuses = [];
  for (let nth = 0; nth < PAYMENTS; nth++) {
    const payments = [{ ledgerId: ids.ledgerId, unitId: ids.unitId, amount: 1 + nth / 100 }];
    const body = { payments, ...newAccount() };
    statuses.push((await site.send(callOf('makePayment', ids, { token, body }))).status);
  }
  return statuses;
}

async function lookUpStranger(site: Site, people: Person[]): Promise<number[]> {
  const statuses = [];
  for (let nth = 0; nth < LOOKUPS; nth++) {
    const ids = idsOf(people[nth % people.length]!.records[0]);
    const body = {
      email: STRANGER,
      locationCode: ids.locationCode,
      corporationCode: ids.corp,
    };
    statuses.push((await site.send(callOf('register', ids, { body }))).status);
  }
  return statuses;
}

/**
 * Waits until every mail is sent, held or dropped, and every payment has its mails; what is left.
 */
function untilDecided({ db }: Site): Promise<number> {
  return untilNoneLeft(async () => {
    const { rows } = await sql<{ count: number }>`
      SELECT (SELECT count(*)::int FROM mails WHERE sent_at IS NULL AND NOT is_dropped
          AND (held_until IS NULL OR held_until <= ${testClock.now()} OR decided_at IS NOT NULL))
        + (SELECT count(*)::int FROM payment_intents WHERE state IN ('succeeded', 'pending') AND told_at IS NULL)
        AS count`.execute(db.owner);
    return rows[0]!.count;
  });
}

/** Lets the ten minutes end, and the job that waits for it begin. */
async function passWindows({ db }: Site): Promise<void> {
  await sql`UPDATE limit_counts SET ends_at = ${testClock.now()} WHERE name = 'mails-alike-in-ten-minutes'`.execute(
    db.owner,
  );
  await sql`UPDATE mails SET held_until = ${testClock.now()} WHERE held_until IS NOT NULL`.execute(
    db.owner,
  );
  await sql`INSERT INTO pgboss.job (name) VALUES ('release-mails')`.execute(db.owner);
}

/** Takes what has come, and answers the subjects by address. */
function counting({ received }: SmtpSink): (address: string) => string[] {
  const taken = received.splice(0);
  return (address) =>
    taken
      .filter(({ to }) => to.includes(address))
      .map(({ raw }) => headerOf(readMail(raw).headers, 'subject'));
}

/** The number at the beginning of the subject of a merged mail. */
function partsOf([subject = '']: string[]): number {
  return Number.parseInt(subject, 10);
}
