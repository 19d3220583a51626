import { setImmediate as turnOfTheLoop } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { flatPhoto } from '#test/photos.ts';
import { readPhoto } from './photo.ts';

test('of one tenant waits for one of another’s backlog, not for all of it', async () => {
  const photo = `data:image/jpeg;base64,${(await flatPhoto('jpeg')).toString('base64')}`;
  const order: string[] = [];
  const read = (tenantId: string) =>
    readPhoto(tenantId, photo).then(() => void order.push(tenantId));
  await Promise.all(['backlog', 'backlog', 'backlog', 'backlog', 'other'].map(read));
  expect(order.indexOf('other')).toBeLessThanOrEqual(2);
});

test('that waits longer than 10 seconds to be decoded is refused with 503', async () => {
  const photo = `data:image/jpeg;base64,${(await flatPhoto('jpeg')).toString('base64')}`;
  const [first, second] = [readPhoto('one', photo), readPhoto('one', photo)];
  const settled = Promise.allSettled([first, second]);
  await turnOfTheLoop();
  const later = vi.spyOn(performance, 'now').mockReturnValue(performance.now() + 10_001);
  const [decoded, refused] = await settled;
  later.mockRestore();
  expect(decoded).toMatchObject({ status: 'fulfilled', value: { width: 300 } });
  expect(refused).toMatchObject({ status: 'rejected', reason: { status: 503 } });
  expect(await readPhoto('one', photo)).toMatchObject({ width: 300 });
});
