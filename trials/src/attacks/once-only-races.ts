import { randomInt, randomUUID } from 'node:crypto';
import { isFault, isShed, jsonOf, openClient, type Answer, type Call } from '../harness/client.ts';
import { newCard } from '../harness/orders.ts';
import { mustBe, mustBeAtMost, reported, type Figure, type Proof } from '../harness/proof.ts';
import type { RequestKind } from '@gatehouse/server/src/db/tables.ts';
import { limits } from '@gatehouse/server/src/config/limits.ts';
import { bodyOf } from './access-matrix.ts';
import { newestCodeTo } from '../harness/dead-tokens.ts';
import { callOf, idsOf, openSite, type Site } from '../harness/site.ts';

/** Photos of one record in a day (D29). */
const PHOTOS_A_DAY = 20;

/**
 * T26: what may happen once, or so many times, tried by many at once on two servers under the real
 * limits.
 */
export const onceOnlyRaces: Proof<{ parallel: number }> = {
  name: 'T26',
  title:
    'What may happen once or so many times, by many at once: codes, quotas, first writes, plans, photos, keys',
  sizes: { small: { parallel: 100 }, full: { parallel: 500 } },
  async run({ parallel }, _seed, stage) {
    await using site = await openSite(stage, {
      limits: 'real',
      env: { TRUSTED_HOPS: '1' },
      servers: 2,
    });
    const clients = site.addresses.map((address) => openClient(address));
    let faulty = 0;
    let shed = 0;
    const race: Race = {
      site,
      async all(call) {
        const answers = await Promise.all(
          Array.from({ length: parallel }, (_, index) =>
            clients[index % clients.length]!.send(call(index)),
          ),
        );
        shed += answers.filter(isShed).length;
        faulty += answers.filter(isFault).length;
        return answers;
      },
    };
    const figures: Figure[] = [reported('requests at once', parallel, 'max')];
    for (const run of [
      raceCodes,
      raceFirstPhone,
      raceRequests,
      raceMoveOut,
      racePlan,
      raceAutopay,
      racePhotos,
    ])
      figures.push(...(await run(race)));
    for (const client of clients) client.close();
    figures.push(
      mustBe('answers of 500 and above, or none', faulty, 0),
      reported('requests shed', shed),
      mustBe('servers that ended by themselves', site.deaths(), 0),
    );
    return figures;
  },
};

/** `all` sends so many requests at once, over all servers. */
type Race = { site: Site; all: (call: (index: number) => Call) => Promise<Answer[]> };

/** Lookups of one address from many networks, and then the newest code. */
async function raceCodes({ site, all }: Race): Promise<Figure[]> {
  const { d } = site.actors;
  const [record] = d.records;
  const { corp: corporationCode, locationCode } = record.place;
  const body = { email: d.email, locationCode, corporationCode };
  const lookups = await all(() =>
    callOf('register', idsOf(record), { headers: fromAnywhere(), body }),
  );
  const mails = await countMails(site, d.email, 'Your verification code');
  const code = await newestCodeTo(site.db, d.email);
  const tokens = lookups
    .filter(isDone)
    .map((answer) => (jsonOf(answer) as { token: string }).token); // as it answers
  const tries = await Promise.all(
    tokens.map((token) => all(() => verify(token, code, corporationCode))),
  );
  const right = tries
    .flat()
    .filter((answer) => isDone(answer) && (jsonOf(answer) as { success: boolean }).success);
  // The server may have shed every try that met the newest code.
  for (const token of tokens) await site.send(verify(token, code, corporationCode));
  const verified = await site.db.owner
    .selectFrom('account_lookups')
    .select('verified_at')
    .where('email', '=', d.email)
    .where('verified_at', 'is not', null)
    .execute();
  return [
    mustBe('lookups of one address', tokens.length, limits['codes-in-ten-minutes'].most),
    mustBe('codes mailed', mails, limits['codes-in-ten-minutes'].most),
    mustBe('uses of the newest code', verified.length, 1),
    mustBeAtMost('answers that the newest code is right', right.length, 1),
  ];
}

function verify(token: string, code: string, corporationCode: string): Call {
  const body = { token, code, corporationCode };
  return { method: 'POST', path: '/api/users/verify', headers: fromAnywhere(), body };
}

/** The first phone of a record without one. */
async function raceFirstPhone({ site, all }: Race): Promise<Figure[]> {
  const { token, records } = site.actors.a;
  const [record] = records;
  await site.db.owner
    .updateTable('tenants')
    .set({ phone: null })
    .where('id', '=', record.tenantId)
    .execute();
  const numberOf = (index: number) => `214555${String(1000 + index)}`;
  const answers = await all((index) =>
    callOf('updateTenant', idsOf(record), { token, body: { phone: { primary: numberOf(index) } } }),
  );
  const { phone } = await site.db.owner
    .selectFrom('tenants')
    .select('phone')
    .where('id', '=', record.tenantId)
    .executeTakeFirstOrThrow();
  return [
    mustBe('first phones', answers.filter(isDone).length, 1),
    mustBe(
      'phones kept that are not the one that was taken',
      phone === numberOf(answers.findIndex(isDone)) ? 0 : 1,
      0,
    ),
    mustBe('mails that report it', await countMails(site, record.email, /phone/), 1),
  ];
}

/** A form that may be sent five times an hour. */
async function raceRequests({ site, all }: Race): Promise<Figure[]> {
  const { token, records } = site.actors.a;
  const ids = idsOf(records[0]);
  const answers = await all(() =>
    callOf('requestGateAccess', ids, { token, body: bodyOf('requestGateAccess', ids) }),
  );
  const kept = await countRequests(site, 'request_gate_access_form');
  return [
    mustBe('forms taken', answers.filter(isDone).length, limits['requests-an-hour'].most),
    mustBe('forms kept', kept, limits['requests-an-hour'].most),
  ];
}

/** A move-out under one key. */
async function raceMoveOut({ site, all }: Race): Promise<Figure[]> {
  const { token, records } = site.actors.b;
  const ids = idsOf(records[0]);
  const headers = { 'idempotency-key': randomUUID() };
  const answers = await all(() =>
    callOf('scheduleMoveOut', ids, { token, headers, body: { reason: 'Leaving' } }),
  );
  const references = new Set(answers.filter(isDone).map(({ text }) => text));
  return [
    mustBe('move-outs kept under one key', await countRequests(site, 'move_out'), 1),
    mustBe('different answers to it', references.size, 1),
  ];
}

/** A protection plan for a rental that has none. */
async function racePlan({ site, all }: Race): Promise<Figure[]> {
  const { token, records } = site.actors.b;
  const ids = idsOf(records[0], 'paid');
  const answers = await all(() =>
    callOf('addInsurance', ids, { token, body: bodyOf('addInsurance', ids) }),
  );
  const rows = await site.db.owner
    .selectFrom('ledger_protection_plans')
    .select('id')
    .where('ledger_id', '=', ids.ledgerId)
    .execute();
  return [
    mustBe('protection plans added', answers.filter(isDone).length, 1),
    mustBe('protection plans kept', rows.length, 1),
  ];
}

/** A new card for autopay under one key. */
async function raceAutopay({ site, all }: Race): Promise<Figure[]> {
  const { token, records } = site.actors.b;
  const ids = idsOf(records[0]);
  const headers = { 'idempotency-key': randomUUID() };
  const [methods, mandates, calls] = [
    await countOf(site, 'payment_methods'),
    await countOf(site, 'mandates'),
    await site.simulator.calls(),
  ];
  await all(() => callOf('updateAutopay', ids, { token, headers, body: newCard() }));
  const live = await site.db.owner
    .selectFrom('mandates as m')
    .leftJoin('mandate_ends as e', 'e.mandate_id', 'm.id')
    .select('m.id')
    .where('m.ledger_id', '=', ids.ledgerId)
    .where('e.mandate_id', 'is', null)
    .execute();
  return [
    mustBe('cards saved under one key', (await countOf(site, 'payment_methods')) - methods, 1),
    mustBe('cards that the gateway was asked to keep', (await site.simulator.calls()) - calls, 1),
    mustBe('consents given under it', (await countOf(site, 'mandates')) - mandates, 1),
    mustBe('live consents of the rental', live.length, 1),
  ];
}

/** Photos of one record; it has one already. */
async function racePhotos({ site, all }: Race): Promise<Figure[]> {
  const { token, records } = site.actors.c;
  const ids = idsOf(records[0]);
  const answers = await all(() =>
    callOf('uploadImage', ids, { token, body: bodyOf('uploadImage', ids) }),
  );
  const rows = await site.db.owner
    .selectFrom('images')
    .select('id')
    .where('tenant_id', '=', ids.tenantId)
    .execute();
  return [
    mustBe('photos taken', answers.filter(isDone).length, PHOTOS_A_DAY - 1),
    mustBe('photos of the record, with the one from before', rows.length, PHOTOS_A_DAY),
  ];
}

const fromAnywhere = () => ({
  'x-forwarded-for': [10, randomInt(256), randomInt(256), randomInt(256)].join('.'),
});

function isDone({ status }: Answer): boolean {
  return status === 200;
}

async function countMails({ db }: Site, to: string, subject: string | RegExp): Promise<number> {
  const rows = await db.owner
    .selectFrom('mails')
    .select('subject')
    .where('to_address', '=', to)
    .execute();
  return rows.filter((row) =>
    typeof subject === 'string' ? row.subject === subject : subject.test(row.subject),
  ).length;
}

async function countRequests({ db }: Site, kind: RequestKind): Promise<number> {
  return (await db.owner.selectFrom('requests').select('id').where('kind', '=', kind).execute())
    .length;
}

async function countOf({ db }: Site, table: 'payment_methods' | 'mandates'): Promise<number> {
  return (await db.owner.selectFrom(table).select('id').execute()).length;
}
