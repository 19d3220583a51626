import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildApp } from '#app/app.ts';
import { createMetrics } from '#telemetry/metrics.ts';
import { makeFacility } from '#seeds/builders.ts';
import { useTestApp, signIn, type SignedIn } from '#test/app.ts';
import { makePerson } from '#test/people.ts';
import { mailsTo } from '#test/mails.ts';
import { changeRows } from '#test/rows.ts';

const RACES = 42;
const CALLS = 25;
const LANES = 8;

const api = useTestApp('empty_template');
/** Two servers on one database. */
let servers: [FastifyInstance, FastifyInstance];
let facilityId: string;
beforeAll(async () => {
  servers = [api.app, await buildApp({ ...api.ctx, metrics: createMetrics() })];
  facilityId = await makeFacility(api.owner, {});
});
afterAll(() => servers[1].close());

type Person = { email: string; session: SignedIn; other: SignedIn };
/** Ends the session at a server and answers the status of the call that did. */
type End = (server: FastifyInstance, person: Person) => Promise<number>;

const post = (server: FastifyInstance, url: string, body: object, token?: string) =>
  server.inject({
    method: 'POST',
    url: `/api/users/${url}`,
    body,
    ...(token !== undefined && { headers: { authorization: `Bearer ${token}` } }),
  });

/** Looks the account up and gives the mailed code; the ending sets a new password. */
async function prepareReset(email: string): Promise<End> {
  const corporationCode = 'ANCHOR';
  const asked = await post(api.app, 'register', {
    email,
    corporationCode,
    locationCode: 'TXDFW03',
  });
  const { token } = asked.json<{ token: string }>();
  const code = /^\d{8}$/m.exec((await mailsTo(api, email)).at(-1)!.text)![0];
  await post(api.app, 'verify', { token, code, corporationCode });
  return async (server) =>
    (await post(server, 'password-update', { token, password: 'gate harbor 92', corporationCode }))
      .statusCode;
}

const endings: Record<string, (email: string) => Promise<End>> = {
  logout: () =>
    Promise.resolve(
      async (server, { session }) => (await post(server, 'logout', {}, session.token)).statusCode,
    ),
  'a new password': prepareReset,
  'disabling its user': (email) =>
    Promise.resolve(async () => {
      const disabled = { disabled_at: api.ctx.clock.now() };
      await changeRows(api.owner, 'users', disabled, { email });
      return 200;
    }),
};

test.each(Object.entries(endings))(
  '%s races a thousand calls of its session over two servers: none that begins after the answer succeeds (R29)',
  async (ending, prepare) => {
    const found = { live: 0, after: 0, succeededAfter: 0, odd: 0 };
    for (let race = 0; race < RACES; race += 1) {
      const email = `racer-${ending.length}-${race}@example.com`;
      const tenantIds = [await makePerson(api, facilityId, email, 'harbor gate 81')];
      const person = { email, session: await signIn(api, email), other: await signIn(api, email) };
      const end = await prepare(email);
      let next = 0;
      let isDead = false;
      let ended: Promise<void> | undefined;
      const endAt = LANES / 2 + (race % LANES);
      const lane = async () => {
        for (let nth = next++; nth < CALLS; nth = next++) {
          if (nth === endAt)
            ended = end(servers[race % 2]!, person).then((status) => {
              expect(status).toBe(200);
              isDead = true;
            });
          // The second half waits for the answer.
          if (nth > CALLS / 2) await ended;
          // A new password and a disabled user end every session, logout its own.
          const { token } = ending === 'logout' || nth % 2 === 0 ? person.session : person.other;
          const isAfter = isDead;
          const headers = { authorization: `Bearer ${token}` };
          const read = { url: `/api${person.session.prefix}/tenants/${tenantIds[0]}` };
          const write = { url: '/api/users/language', body: { language: 'en' } } as const;
          const { statusCode } = await servers[nth % 2]!.inject(
            nth % 3 === 0 ? { method: 'POST', ...write, headers } : { ...read, headers },
          );
          if (isAfter) found.after += 1;
          if (statusCode === 200) found.live += 1;
          if (isAfter && statusCode === 200) found.succeededAfter += 1;
          if (statusCode !== 200 && statusCode !== 401) found.odd += 1;
        }
      };
      await Promise.all(Array.from({ length: LANES }, lane));
    }
    expect(found).toMatchObject({ succeededAfter: 0, odd: 0 });
    expect(found.after).toBeGreaterThan((RACES * CALLS) / 3);
    expect(found.live).toBeGreaterThan((RACES * CALLS) / 10);
  },
);
