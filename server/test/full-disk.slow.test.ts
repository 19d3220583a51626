import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, open, rm } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, inject, onTestFinished, test } from 'vitest';
import { openOwnerDatabase, type Database } from '#db/database.ts';
import { DEMO_PASSWORD } from '#seeds/demo.ts';
import { expectSoundBooks } from './books.ts';
import { card } from './card.ts';
import { TEST_DATA_KEYS } from './data-keys.ts';
import { photoWithGps } from './photos.ts';
import { endServer, startServer } from './server-process.ts';
import { createDatabase, databaseUrl } from './templates.ts';
import { WIDE_LIMITS } from './wide-limits.ts';

const MESSAGE = 'Photos cannot be stored or shown at the moment. Please try again later.';

let folder: string;
/** A disk of its own; null where this user may mount none. */
let disk: string | null;
let databaseName: string;
let owner: Database;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gatehouse-disk-'));
  disk = join(folder, 'files');
  await mkdir(disk);
  const mount = ['-t', 'tmpfs', '-o', 'size=256k,mode=0700', 'gatehouse-test', disk];
  if (spawnSync('/bin/mount', mount).status !== 0) disk = null;
  databaseName = `disk_${randomUUID().replaceAll('-', '')}`;
  const maintenance = openOwnerDatabase(inject('clusterUrl'));
  await createDatabase(maintenance, databaseName, 'demo_template');
  await maintenance.destroy();
  owner = openOwnerDatabase(databaseUrl(inject('clusterUrl'), databaseName));
});
afterAll(async () => {
  await owner.destroy();
  if (disk !== null) spawnSync('/bin/umount', [disk]);
  await rm(folder, { recursive: true, force: true });
});

/** A server with these settings, and its calls as Dana. */
async function serve(settings: Record<string, string>) {
  const server = await startServer({
    DATA_DIR: folder,
    DATABASE_URL: databaseUrl(inject('clusterUrl'), databaseName),
    DATA_KEYS: TEST_DATA_KEYS,
    LIMITS: WIDE_LIMITS,
    ...settings,
  });
  onTestFinished(() => endServer(server, 'SIGTERM').then(() => {}));
  const call = async (path: string, body?: object, token?: string) => {
    const answer = await fetch(`${server.url}/api${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: {
        'content-type': 'application/json',
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return { status: answer.status, body: (await answer.json()) as never };
  };
  const username = 'dana@example.com';
  const where = { locationCode: 'TXDFW03', corporationCode: 'ANCHOR' };
  const login = { username, password: DEMO_PASSWORD, ...where };
  const { token, tenants } = (await call('/users/login', login)).body as {
    token: string;
    tenants: [{ id: string }];
  };
  const tenant = `/corporations/ANCHOR/locations/TXDFW03/tenants/${tenants[0].id}`;
  const jpeg = await photoWithGps({ width: 400, height: 300 });
  const imageData = `data:image/jpeg;base64,${jpeg.toString('base64')}`;
  const readLedgers = () => call(`${tenant}/ledgers`, undefined, token);
  const [{ id: ledgerId, unitId }] = (await readLedgers()).body as [{ id: string; unitId: string }];
  const photo = () => call(`${tenant}/images`, { imageData, file: 'x.jpg' }, token);
  const pay = (amount: number) =>
    call(
      `${tenant}/payments`,
      { payments: [{ ledgerId, unitId, amount }], creditCard: card },
      token,
    );

  /** Photos, reads and payments side by side: the photos are refused, and nothing else is. */
  async function tryAll(firstAmount: number): Promise<void> {
    const photos = async () => {
      for (let count = 0; count < 8; count += 1)
        expect(await photo()).toEqual({ status: 503, body: { message: MESSAGE } });
    };
    const payments = async () => {
      for (let count = 0; count < 12; count += 1)
        expect((await pay(firstAmount + count / 100)).status).toBe(200);
    };
    const reads = async () => {
      for (let count = 0; count < 12; count += 1) expect((await readLedgers()).status).toBe(200);
    };
    await Promise.all([photos(), photos(), payments(), reads()]);
    await expectSoundBooks(owner);
  }
  return { photo, tryAll };
}

/** Writes until the disk takes no more. */
async function fill(path: string): Promise<void> {
  const file = await open(path, 'w');
  const page = Buffer.alloc(4096);
  const byPage = async () => {
    for (;;) await file.write(page);
  };
  await expect(byPage()).rejects.toMatchObject({ code: 'ENOSPC' });
  await file.close();
}

test('on a full disk photos are refused in a sentence, and payments and reads go on (R26)', async (context) => {
  if (disk === null) return context.skip('no disk could be mounted');
  const { photo, tryAll } = await serve({});
  expect((await photo()).status).toBe(200);
  const filler = join(disk, 'filler');
  await fill(filler);
  await tryAll(1);
  await rm(filler);
  expect((await photo()).status).toBe(200);
});

test('with the bucket away photos are refused in a sentence, and payments and reads go on (R26)', async () => {
  // A port at which nothing listens any more.
  const listener = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => listener.once('listening', resolve));
  const { port } = listener.address() as AddressInfo;
  await new Promise((resolve) => listener.close(resolve));
  const { tryAll } = await serve({
    FILES: `s3://photos?endpoint=http://127.0.0.1:${port}`,
    AWS_ACCESS_KEY_ID: 'none',
    AWS_SECRET_ACCESS_KEY: 'none',
  });
  await tryAll(2);
});
