import { openSmtpSink } from '@gatehouse/server/test/smtp.ts';
import { sql } from 'kysely';
import { mustBeAtLeast, type Figure, type Stage } from '../harness/proof.ts';
import { callOf, idsOf, openSite } from '../harness/site.ts';
import { untilSome } from '../harness/until.ts';

/** Each is given up after ten seconds of silence, so that one after another they take minutes. */
const MAILS = 30;

/** Mails to a domain whose mail server does not answer, and then a code for another user. */
export async function holdMails(stage: Stage): Promise<Figure[]> {
  const sink = await openSmtpSink();
  await using site = await openSite(stage, { env: { SMTP_URL: sink.url } });
  const { b } = site.actors;
  const release = sink.hold('slow.example');
  const lookUp = (email: string) =>
    site.send(
      callOf('register', idsOf(b.records[0]), {
        body: { email, locationCode: 'TXDFW03', corporationCode: 'ANCHOR' },
      }),
    );
  for (let nth = 0; nth < MAILS; nth += 1) await lookUp(`stranger${nth}@slow.example`);
  await lookUp(b.email);
  const arrived = () => sink.received.filter(({ to }) => to.includes(b.email)).length;
  await untilSome(arrived);
  const { rows } = await sql<{ untried: number }>`
    SELECT count(*)::int AS untried FROM pgboss.job WHERE name = 'deliver-mail' AND state = 'created'`.execute(
    site.db.owner,
  );
  release();
  await sink.close();
  return [
    mustBeAtLeast(
      'mails to a domain that does not answer that a code has overtaken',
      Math.min(1, rows[0]!.untried),
      1,
    ),
  ];
}
