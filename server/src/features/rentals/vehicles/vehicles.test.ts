import type { Ledger } from '@gatehouse/contract/ledgers';
import { beforeAll, describe, expect, test } from 'vitest';
import { signIn, type SignedIn, useTestApp } from '#test/app.ts';

let dana: SignedIn;
let [a101, b207]: Ledger[] = [];
const api = useTestApp('demo_template');
beforeAll(async () => {
  dana = await signIn(api, 'dana@example.com');
  [a101, b207] = await ledgers();
});

const ledgers = async () => {
  const path = `${dana.prefix}/tenants/${dana.tenantIds[0]}/ledgers`;
  return (await api.call('GET', path, { token: dana.token })).body as Ledger[];
};
const rv = { licensePlate: '123ABC', description: '2018 Winnebago Vista 31BE' };
const set = (body: object, ledgerId = a101!.id, { token } = dana) =>
  api.call('POST', `${dana.prefix}/ledgers/${ledgerId}/vehicles`, { token, body });
const rows = () => api.owner.selectFrom('vehicles').selectAll().orderBy('ledger_id').execute();

describe('the vehicle of a rental', () => {
  // spec 7.40
  test('is set where there was none, and is part of the rental', async () => {
    expect(a101!.vehicle).toBeNull();
    const answer = await set({ ...rv, type: 'vehicle', contents: 'vehicle:5B4MP67G123353230' });
    expect([answer.status, answer.body]).toEqual([200, rv]);
    expect((await ledgers())[0]!.vehicle).toEqual(rv);
  });

  test('is replaced where there was one, trimmed, and no other changes', async () => {
    const others = (await rows()).filter(({ ledger_id }) => ledger_id !== b207!.id);
    const answer = await set({ licensePlate: ' TX - 9 ', description: ' A boat ' }, b207!.id);
    expect(answer.body).toEqual({ licensePlate: 'TX - 9', description: 'A boat' });
    expect((await ledgers())[1]!.vehicle).toEqual(answer.body);
    expect((await rows()).filter(({ ledger_id }) => ledger_id !== b207!.id)).toEqual(others);
  });

  test('changes nothing of the contents that it repeats', async () => {
    const contents = () =>
      api.owner.selectFrom('unit_contents').selectAll().orderBy('ledger_id').execute();
    const before = await contents();
    await set({ ...rv, type: 'boat', contents: 'boat:X' }, b207!.id);
    expect(await contents()).toEqual(before);
  });

  test('is one after a hundred at once', async () => {
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, index) => set({ ...rv, licensePlate: `P${index}` })),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect((await rows()).filter(({ ledger_id }) => ledger_id === a101!.id)).toHaveLength(1);
  });
});

describe('a vehicle that is refused', () => {
  // spec 5.33, 5.34
  test.each([
    [{ licensePlate: undefined }, 'License plate is required.'],
    [{ licensePlate: '' }, 'License plate is required.'],
    [{ licensePlate: '  ' }, 'License plate is required.'],
    [{ licensePlate: 123 }, 'License plate is required.'],
    [{ licensePlate: 'x'.repeat(31) }, 'License plate is too long.'],
    [{ licensePlate: 'a\0b' }, 'The request holds a character that cannot be used.'],
    [{ description: undefined }, 'Description is required.'],
    [{ description: '' }, 'Description is required.'],
    [{ description: null }, 'Description is required.'],
    [{ description: 'x'.repeat(201) }, 'Description is too long.'],
  ])('with %j: 422, and nothing is written', async (change, sentence) => {
    const before = await rows();
    const answer = await set({ ...rv, ...change });
    expect([answer.status, answer.body.message]).toEqual([422, sentence]);
    expect(await rows()).toEqual(before);
  });

  test('for another tenant’s rental and for one that has ended: 404, and nothing is written', async () => {
    const sam = await signIn(api, 'sam@example.com');
    const ended = await api.owner
      .selectFrom('ledgers')
      .select('id')
      .where('moved_out_on', 'is not', null)
      .executeTakeFirstOrThrow();
    const before = await rows();
    for (const answer of [await set(rv, a101!.id, sam), await set(rv, ended.id, sam)])
      expect([answer.status, answer.text]).toEqual([404, '{"message":"Not found."}']);
    expect(await rows()).toEqual(before);
  });
});
