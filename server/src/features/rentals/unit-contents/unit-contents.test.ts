import type { Ledger } from '@gatehouse/contract/ledgers';
import { CONTENTS_VALUE_MAX } from '@gatehouse/contract/unit-contents';
import { sql } from 'kysely';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { limits } from '#config/limits.ts';
import { signIn, type SignedIn, useTestApp } from '#test/app.ts';
import { testClock } from '#test/test-day.ts';
import { getRow } from '#test/rows.ts';

let dana: SignedIn;
let [a101, b207]: Ledger[] = [];
const api = useTestApp('demo_template');
beforeAll(async () => {
  dana = await signIn(api, 'dana@example.com');
  const path = `${dana.prefix}/tenants/${dana.tenantIds[0]}/ledgers`;
  [a101, b207] = (await api.call('GET', path, { token: dana.token })).body as Ledger[];
});

const pathOf = (ledgerId: string) => `${dana.prefix}/ledgers/${ledgerId}/unit-contents`;
const set = (contents: unknown, ledgerId = a101!.id, { token } = dana) =>
  api.call('POST', pathOf(ledgerId), { token, body: { contents } });
const read = async (ledgerId = a101!.id) =>
  (await api.call('GET', pathOf(ledgerId), { token: dana.token })).body as { contents: string };
const changesOf = (ledgerId: string) =>
  api.owner
    .selectFrom('unit_contents_changes')
    .selectAll()
    .where('ledger_id', '=', ledgerId)
    .orderBy('id')
    .execute();

describe('setting what is stored', () => {
  // spec 3.41, 3.42, 7.45
  test.each([
    ['vehicle:5B4MP67G123353230', 'vehicle:5B4MP67G123353230'],
    ['boat:FWC48217C414', 'boat:FWC48217C414'],
    ['none:', 'none:'],
    [' vehicle: 1M8-odd:number ', 'vehicle:1M8-odd:number'],
    [`boat:${'x'.repeat(CONTENTS_VALUE_MAX)}`, `boat:${'x'.repeat(CONTENTS_VALUE_MAX)}`],
  ])('%s is stored as %s', async (given, kept) => {
    const answer = await set(given);
    expect([answer.status, answer.body]).toEqual([200, { contents: kept }]);
    expect(await read()).toEqual({ contents: kept });
  });

  test('is refused after thirty changes of a rental within an hour, and counts no refused one', async () => {
    expect(limits['content-changes-an-hour']).toEqual({ most: 30, seconds: 3600 });
    const { config } = api.ctx;
    api.ctx.config = {
      ...config,
      limits: { ...config.limits, 'content-changes-an-hour': { most: 3, seconds: 3600 } },
    };
    onTestFinished(() => {
      api.ctx.config = config;
    });
    await sql`TRUNCATE limit_counts`.execute(api.owner);
    expect((await set('plane:1')).status).toBe(422);
    const before = (await changesOf(a101!.id)).length;
    const answers = await Promise.all(Array.from({ length: 8 }, (_, nth) => set(`boat:${nth}`)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([
      ...[200, 200, 200],
      ...[429, 429, 429, 429, 429],
    ]);
    expect((await changesOf(a101!.id)).length - before).toBe(3);
    expect((await set('none:', b207!.id)).status).toBe(200);
    await api.owner.deleteFrom('unit_contents_changes').where('ledger_id', '=', b207!.id).execute();
  });

  test('replaces the earlier value, and records each change with its user and time', async () => {
    const user = await getRow(api.owner, 'users', 'id', { email: 'dana@example.com' });
    const start = testClock.now().getTime();
    await set('vehicle:V1', b207!.id);
    await set('none:', b207!.id);
    expect(await read(b207!.id)).toEqual({ contents: 'none:' });
    const changes = await changesOf(b207!.id);
    expect(changes.map(({ contents, user_id }) => [contents, user_id])).toEqual([
      ['vehicle:V1', user.id],
      ['none:', user.id],
    ]);
    for (const { changed_at } of changes)
      expect(changed_at.getTime()).toBeGreaterThanOrEqual(start);
  });

  test('does not change other rentals', async () => {
    const others = () =>
      api.owner
        .selectFrom('unit_contents')
        .selectAll()
        .where('ledger_id', '<>', a101!.id)
        .orderBy('ledger_id')
        .execute();
    const before = await others();
    await set('boat:H1');
    expect(await others()).toEqual(before);
  });

  test('a hundred times at once ends with one, and every change is recorded', async () => {
    const before = (await changesOf(a101!.id)).length;
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, index) => set(`vehicle:V${index}`)),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(await changesOf(a101!.id)).toHaveLength(before + 100);
    expect((await read()).contents).toMatch(/^vehicle:V\d+$/);
  });
});

describe('contents that are refused', () => {
  // spec 5.31, 5.32
  test.each([
    [undefined, 'Contents is required.'],
    [null, 'Contents is required.'],
    [7, 'Contents is required.'],
    [['vehicle:1'], 'Contents is required.'],
    ['', 'Contents is required.'],
    ['   ', 'Contents is required.'],
    ['vehicle', 'Contents must be vehicle, boat or none, a colon and a value.'],
    ['plane:1', 'Contents must be vehicle, boat or none, a colon and a value.'],
    ['Vehicle:1', 'Contents must be vehicle, boat or none, a colon and a value.'],
    ['toString:1', 'Contents must be vehicle, boat or none, a colon and a value.'],
    [':1', 'Contents must be vehicle, boat or none, a colon and a value.'],
    ['vehicle:', 'A vehicle needs its VIN and a boat its HIN.'],
    ['boat:   ', 'A vehicle needs its VIN and a boat its HIN.'],
    [`vehicle:${'x'.repeat(70)}`, 'Contents is too long.'],
    ['vehicle:a\0b', 'The request holds a character that cannot be used.'],
  ])('%j: 422, and nothing is written', async (contents, sentence) => {
    const [before, changes] = [await read(), await changesOf(a101!.id)];
    const answer = await set(contents);
    expect([answer.status, answer.body.message]).toEqual([422, sentence]);
    expect(await read()).toEqual(before);
    expect(await changesOf(a101!.id)).toEqual(changes);
  });

  test('for another tenant’s rental and for one that has ended: 404, and nothing is written', async () => {
    const sam = await signIn(api, 'sam@example.com');
    const ended = await api.owner
      .selectFrom('ledgers')
      .select('id')
      .where('moved_out_on', 'is not', null)
      .executeTakeFirstOrThrow();
    for (const answer of [await set('none:', a101!.id, sam), await set('none:', ended.id, sam)])
      expect([answer.status, answer.text]).toEqual([404, '{"message":"Not found."}']);
    expect(await changesOf(ended.id)).toEqual([]);
  });
});
