import type { Facility } from '@gatehouse/contract/facilities';
import { beforeAll, expect, test } from 'vitest';
import { useTestApp, signIn, type SignedIn } from '#test/app.ts';
import { changeRows } from '#test/rows.ts';

const api = useTestApp('demo_template');
let dana: SignedIn;
beforeAll(async () => {
  dana = await signIn(api, 'dana@example.com');
});

const facility = async () => (await api.call('GET', dana.prefix, dana)).body as Facility;
const setMoveOut = (move_out_url: string | null) =>
  changeRows(api.owner, 'facilities', { move_out_url }, { location_code: 'TXDFW03' });

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
