import type { Facility } from '@gatehouse/contract/facilities';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestApp, signIn, type SignedIn, type TestApp } from '#test/app.ts';

let api: TestApp;
let dana: SignedIn;
beforeAll(async () => {
  api = await openTestApp('demo_template');
  dana = await signIn(api, 'dana@example.com');
});
afterAll(() => api.close());

const facility = async () =>
  (await api.call('GET', dana.prefix, { token: dana.token })).body as Facility;
const setMoveOut = (move_out_url: string | null) =>
  api.owner
    .updateTable('facilities')
    .set({ move_out_url })
    .where('location_code', '=', 'TXDFW03')
    .execute();

test('the facility names the operator’s own move-out form, or none', async () => {
  expect((await facility()).moveOutUrl).toBe('https://anchor-axle.example/move-out/txdfw03');
  await setMoveOut(null);
  expect((await facility()).moveOutUrl).toBeNull();
});

// asvs 1.2.2
test.each(['http://example.com', 'javascript:alert(1)', '/move-out', 'x https://example.com', ''])(
  'a move-out address of %j cannot be kept',
  async (url) => {
    await expect(setMoveOut(url)).rejects.toMatchObject({ code: '23514' });
  },
);
