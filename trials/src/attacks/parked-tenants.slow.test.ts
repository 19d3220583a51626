import { endpoints } from '@gatehouse/contract/endpoints';
import { changeEmailOf } from '@gatehouse/server/src/features/rentals/tenants/staff-records.ts';
import { disableUser, enableUser } from '@gatehouse/server/src/features/people/users/users.ts';
import { useTestApp } from '@gatehouse/server/test/app.ts';
import { card } from '@gatehouse/server/test/card.ts';
import { sumOfTables } from '@gatehouse/server/test/sum-of-tables.ts';
import { randomUUID } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { makeActors, makeSession, PASSWORD, type Actors } from '../harness/actors.ts';
import type { Answer, Call } from '../harness/client.ts';
import { resetPassword } from '../harness/dead-tokens.ts';
import { park, sendTo, type Parked } from '../harness/park.ts';
import { callOf, giveSignIn, idsOf, type Ids } from '../harness/site.ts';
import { bodyOf, guardedNames, rows, statusForOwner, type GuardedName } from './access-matrix.ts';
import { addRows, changeRows } from '@gatehouse/server/test/rows.ts';

/** Every endpoint of a signed-in tenant that is sent a body, so that it can be parked. */
const names = guardedNames.filter((name) => endpoints[name].method !== 'GET');

/** Those of them that only read; what needs a signature is refused before it writes. */
const readings = [
  'addPasskey',
  'confirmOptions',
  'confirmSession',
  'passkeyOptions',
  'previewPayment',
];

const api = useTestApp('empty_template');
let actors: Actors;
beforeAll(async () => {
  actors = await makeActors(api.owner);
});

/**
 * A live session, a passkey, a consent to texts that was asked for, another record's feed, and no
 * language of the account.
 */
beforeEach(async () => {
  const { d, here } = actors;
  await changeRows(api.owner, 'users', { language: null }, { id: d.userId });
  d.token = await makeSession(api.owner, d.userId, here);
  await giveSignIn(site(), d);
  const feed = callOf('createCalendarFeed', ownIds('removeCalendarFeed'), { token: d.token });
  for (const call of [feed, ownCall('requestTexts', d.token)])
    expect((await send(call)).status).toBe(200);
});

const send = (call: Call): Promise<Answer> => sendTo(api.app, call);
const site = () => ({ db: { owner: api.owner }, send });

function ownIds(name: GuardedName): Ids {
  const record = actors.d.records[name === 'removeCalendarFeed' ? 1 : 0]!;
  return idsOf(record, rows[name].rental ?? 'owing');
}

function ownCall(name: GuardedName, token: string): Call {
  const ids = ownIds(name);
  const body = bodyOf(name, ids);
  // The sandbox gateway does not know the saved one.
  const paying = name === 'makePayment' && { creditCard: card };
  return callOf(name, ids, { token, body: body && { ...body, ...paying } });
}

/** Parks a call of each endpoint, each in a session of its own; answers them with their tokens. */
async function parkAll(): Promise<{ name: GuardedName; token: string; parked: Parked }[]> {
  const all = [];
  for (const name of names) {
    const token = await makeSession(api.owner, actors.d.userId, actors.here);
    all.push({ name, token, parked: await park(api.app, ownCall(name, token)) });
  }
  return all;
}

/**
 * What ends the access of a session, and the endpoints that have nothing left to write then;
 * `restore` gives it back.
 */
type Revocation = {
  revoke: (tokens: string[]) => Promise<unknown>;
  idle?: GuardedName[];
  restore?: () => Promise<unknown>;
};

const addressOfRecord = (email: string) =>
  changeRows(api.owner, 'tenants', { email }, { id: actors.d.records[0].tenantId });

const revocations: Record<string, Revocation> = {
  logout: {
    async revoke(tokens) {
      for (const token of tokens) expect((await send(ownCall('logout', token))).status).toBe(200);
    },
  },
  'a new password': {
    revoke: () => resetPassword(site(), actors.d, PASSWORD),
    idle: ['removeCalendarFeed'],
  },
  'disabling the user': {
    revoke: () => disableUser(api.ctx, actors.d.email, false),
    restore: () => enableUser(api.ctx, actors.d.email, false),
  },
  'a change of the record’s address by a database shell': {
    revoke: () => addressOfRecord('d-moved@example.com'),
    restore: () => addressOfRecord(actors.d.email),
  },
  'a change of the record’s address by staff': {
    revoke: () =>
      changeEmailOf(
        api.ctx,
        { key: randomUUID(), by: 'June', why: 'asked', facilityIds: null, isPreview: false },
        { tenantId: actors.d.records[0].tenantId, email: 'd-moved@example.com' },
      ),
    async restore() {
      await addressOfRecord(actors.d.email);
      const link = { user_id: actors.d.userId, tenant_id: actors.d.records[0].tenantId };
      await addRows(api.owner, 'user_tenants', link);
    },
  },
};

describe('a call whose body arrives after its session was revoked', () => {
  // asvs 7.4.1, 7.4.2, 8.3.1
  test.each(Object.entries(revocations))(
    'by %s writes nothing, at every endpoint',
    async (_, { revoke, restore, idle = [] }) => {
      const all = await parkAll();
      await revoke(all.map(({ token }) => token));
      const before = await sumOfTables(api.owner);
      const allowed: [GuardedName, Answer][] = [];
      for (const { name, parked } of all) {
        const answer = await parked.release();
        if (![401, 404].includes(answer.status)) allowed.push([name, answer]);
      }
      expect(await sumOfTables(api.owner)).toEqual(before);
      expect(allowed.map(([name]) => name).toSorted()).toEqual([...readings, ...idle].toSorted());
      await restore?.();
    },
  );

  test('would have been answered and have written, but for those that only read', async () => {
    const odd: unknown[] = [];
    const unwritten: string[] = [];
    for (const name of names) {
      const token = await makeSession(api.owner, actors.d.userId, actors.here);
      const before = await sumOfTables(api.owner);
      const answer = await (await park(api.app, ownCall(name, token))).release();
      if (answer.status !== statusForOwner(name)) odd.push([name, answer.status, answer.text]);
      const after = await sumOfTables(api.owner);
      if (JSON.stringify(after) === JSON.stringify(before)) unwritten.push(name);
    }
    expect(odd).toEqual([]);
    expect(unwritten.toSorted()).toEqual(readings);
  });
});
