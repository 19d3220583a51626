import type { Call } from '../harness/client.ts';
import { shuffled } from '../harness/sample.ts';
import {
  judgedIf,
  mustBe,
  mustBeAtLeast,
  mustBeAtMost,
  reported,
  type Figure,
  type Proof,
} from '../harness/proof.ts';
import { randomOf, type Random } from '../harness/random.ts';
import { hashPassword } from '@gatehouse/server/src/features/people/session/password.ts';
import { makeTenant } from '@gatehouse/server/src/seeds/builders.ts';
import { sql } from 'kysely';
import { callOf, idsOf, openSite, type Ids, type Site } from '../harness/site.ts';
import { median } from '../harness/statistics.ts';
import { kolmogorovSmirnov } from './kolmogorov-smirnov.ts';
import { addRows } from '@gatehouse/server/test/rows.ts';

/**
 * Samples this large are judged as the plan says. Of smaller ones, which run often and on busy
 * machines, the medians are only reported, and they may be apart by chance once in 10,000.
 */
const LARGE = 1000;
/** A device token that was never issued. */
const MADE_UP = `rdt_${'A'.repeat(43)}`;

/**
 * T6: whether a known address can be distinguished from an unknown one, by the answer or by its
 * time.
 */
export const accountEnumeration: Proof<{ addresses: number; signIns: number }> = {
  name: 'T6',
  title:
    'Known and unknown addresses, shuffled: the lookup and the sign-in answer alike in the same time',
  sizes: { small: { addresses: 100, signIns: 60 }, full: { addresses: 1000, signIns: 1000 } },
  async run({ addresses, signIns }, seed, stage) {
    await using site = await openSite(stage);
    const random = randomOf(seed);
    await makeKnown(site, Math.max(addresses, signIns));
    const ids = idsOf(site.actors.a.records[0]);
    const lookup = (email: string) => callOf('register', ids, { body: { email, ...placeOf(ids) } });
    const withDevice = (email: string) =>
      callOf('register', ids, { body: { email, device: MADE_UP, ...placeOf(ids) } });
    const signIn = (username: string) =>
      callOf('login', ids, { body: { username, password: 'not the password', ...placeOf(ids) } });
    return [
      ...(await compare(site, random, 'lookup', addresses, lookup)),
      ...(await compare(site, random, 'lookup with a device', addresses, withDevice)),
      ...(await compare(site, random, 'lookup of a shared address', addresses, lookup, shared)),
      ...(await compare(site, random, 'sign-in', signIns, signIn)),
      mustBe('servers that ended by themselves', site.deaths(), 0),
    ];
  },
};

function placeOf({ corp, locationCode }: Ids) {
  return { corporationCode: corp, locationCode };
}

const known = (index: number) => `known${String(index).padStart(5, '0')}@example.com`;
/** On file for two names, so that it reaches no record. */
const shared = (index: number) => `shared${String(index).padStart(4, '0')}@example.com`;
const unknown = (index: number) => `other${String(index).padStart(5, '0')}@example.com`;

/** Tenants of the facility with sign-ins of their own, and others who share addresses. */
async function makeKnown({ db, actors: { here } }: Site, count: number): Promise<void> {
  const password_hash = await hashPassword('harbor gate 81');
  await db.owner.transaction().execute(async (trx) => {
    for (let index = 0; index < count; index += 1) {
      const email = known(index);
      const tenant_id = await makeTenant(trx, { facility_id: here.facilityId, email });
      const { id: user_id } = await trx
        .insertInto('users')
        .values({ corporation_id: here.corporationId, email, password_hash })
        .returning('id')
        .executeTakeFirstOrThrow();
      await addRows(trx, 'user_tenants', { user_id, tenant_id, position: 1 });
      for (const first_name of ['Ann', 'Ben'])
        await makeTenant(trx, { facility_id: here.facilityId, email: shared(index), first_name });
    }
  });
  await sql`ANALYZE`.execute(db.owner);
}

/** One call at a time, known and unknown ones in a random order. */
async function compare(
  site: Site,
  random: Random,
  what: string,
  count: number,
  callFor: (address: string) => Call,
  onFile = known,
): Promise<Figure[]> {
  const calls = shuffled(
    random,
    Array.from({ length: count }, (_, index) => [onFile(index), unknown(index)]).flatMap(
      ([yes, no]) => [
        { call: callFor(yes!), isKnown: true },
        { call: callFor(no!), isKnown: false },
      ],
    ),
  );
  // The first calls meet a server that has yet to warm up.
  for (let index = 0; index < 20; index += 1) await site.send(callFor(`warm${index}@example.com`));
  const times = { known: [] as number[], unknown: [] as number[] };
  const answers = new Set<string>();
  for (const { call, isKnown } of calls) {
    const begun = performance.now();
    const { status, headers, text } = await site.send(call);
    times[isKnown ? 'known' : 'unknown'].push(performance.now() - begun);
    const names = Object.keys(headers).join();
    answers.add(`${status} ${names} ${text.replace(/"rgt_[\w-]{43}"/, '"token"')}`);
  }
  const gap = Math.abs(median(times.known) - median(times.unknown));
  const gapName = `${what}: gap of the medians in milliseconds`;
  const { distance, p } = kolmogorovSmirnov(times.known, times.unknown);
  return [
    reported(`${what}: addresses of each kind`, count),
    mustBe(`${what}: different answers, but for the token’s value`, answers.size, 1),
    reported(`${what}: largest distance of the two distributions of times`, distance, 'max'),
    mustBeAtLeast(`${what}: p of the Kolmogorov-Smirnov test`, p, count >= LARGE ? 0.01 : 0.0001),
    reported(`${what}: median in milliseconds, known`, median(times.known), 'max'),
    judgedIf(count >= LARGE, mustBeAtMost(gapName, gap, 5)),
  ];
}
