import { spawnSync } from 'node:child_process';
import { mkdir, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { photoWithGps } from '@gatehouse/server/test/photos.ts';
import type { CallResult } from '../harness/caller.ts';
import { readLedgers, sendPhoto } from '../harness/calls.ts';
import { freePort } from '../harness/free-port.ts';
import { openFixture, type Fixture } from '../harness/fixture.ts';
import { nextOrder } from '../harness/orders.ts';
import type { Payer } from '../harness/world.ts';
import { inLanes } from '../harness/lanes.ts';
import { randomOf } from '../harness/random.ts';
import { mustBe, reported, type Figure, type Proof, type Stage } from '../harness/proof.ts';

const AT_ONCE = 4;
const SENTENCE =
  '{"message":"Photos cannot be stored or shown at the moment. Please try again later."}';
/** Enough for the folder and a few photos. */
const DISK = 'size=256k,mode=0700';

/**
 * R26: the photos' disk is full, then their bucket does not answer, while tenants send photos, read
 * and pay.
 */
export const fullDisk: Proof<{ photos: number; payments: number }> = {
  name: 'R26',
  title: 'A full disk and a store that is away',
  sizes: { small: { photos: 8, payments: 12 }, full: { photos: 200, payments: 500 } },
  async run({ photos, payments }, seed, stage) {
    const size = { photos, payments, seed };
    const full = await onFullDisk(stage, size);
    const away = await onDeadBucket(stage, size);
    return [
      reported('disks that were really full', full === null ? 0 : 1),
      ...(full ?? []).map((figure) => ({ ...figure, what: `disk full: ${figure.what}` })),
      ...away.map((figure) => ({ ...figure, what: `bucket away: ${figure.what}` })),
    ];
  },
};

type Trial = { photos: number; payments: number; seed: number };

/** Null where this user may mount no disk of their own. */
async function onFullDisk(stage: Stage, trial: Trial): Promise<Figure[] | null> {
  const dataDir = join(stage.folder, `small-disk-${trial.seed}`);
  const disk = join(dataDir, 'files');
  await mkdir(disk, { recursive: true });
  if (!mounted(disk)) {
    stage.say('  no separate disk could be mounted here, so none was filled');
    return null;
  }
  try {
    await using fixture = await fixtureWith(stage, trial, { DATA_DIR: dataDir });
    const before = await tryPhoto(fixture, fixture.payers[0]!);
    const filler = join(disk, 'filler');
    await fill(filler);
    const figures = await tryAll(fixture, trial);
    await rm(filler);
    const after = await tryPhoto(fixture, fixture.payers[1]!);
    return [
      mustBe('photos refused before it was full', before.status === 200 ? 0 : 1, 0),
      ...figures,
      mustBe('photos refused once there was room again', after.status === 200 ? 0 : 1, 0),
    ];
  } finally {
    spawnSync('/bin/umount', [disk]);
  }
}

async function onDeadBucket(stage: Stage, trial: Trial): Promise<Figure[]> {
  const port = await freePort();
  await using fixture = await fixtureWith(stage, trial, {
    FILES: `s3://photos?endpoint=http://127.0.0.1:${port}`,
    AWS_ACCESS_KEY_ID: 'none',
    AWS_SECRET_ACCESS_KEY: 'none',
  });
  return await tryAll(fixture, trial);
}

function fixtureWith(
  stage: Stage,
  { photos }: Trial,
  env: Record<string, string>,
): Promise<Fixture> {
  // 20 photos a day of each.
  const world = {
    payers: Math.max(10, Math.ceil(photos / 15)),
    rentals: 2,
    owedCents: () => 90_000_000,
  };
  return openFixture(stage, { servers: 1, world, env });
}

/**
 * Photos, reads and payments side by side: the photos are refused with their sentence, and nothing
 * else is.
 */
async function tryAll(fixture: Fixture, { photos, payments, seed }: Trial): Promise<Figure[]> {
  const { pool, driver, payers } = fixture;
  const random = randomOf(seed);
  const refused: CallResult[] = [];
  const read: CallResult[] = [];
  let unpaid = 0;
  await Promise.all([
    inLanes(photos, AT_ONCE, async (number) => {
      refused.push(await tryPhoto(fixture, payers[number % payers.length]!));
      read.push(
        await driver.caller.call((await pool.next()).address, readLedgers(random.pick(payers))),
      );
    }),
    inLanes(payments, AT_ONCE, async (number) => {
      const { receipt, status } = await driver.send(
        (await pool.next()).address,
        nextOrder(random, payers, number),
      );
      if (status !== 200 || receipt === null) unpaid += 1;
    }),
  ]);
  const odd = refused.filter(({ status, text }) => status !== 503 || text !== SENTENCE);
  return [
    mustBe('photos that were not refused with 503 and its sentence', odd.length, 0),
    mustBe('payments that were not paid at once', unpaid, 0),
    mustBe('reads that failed', read.filter(({ status }) => status !== 200).length, 0),
    ...(await fixture.check(503)),
    reported('photos', refused.length),
  ];
}

async function tryPhoto({ pool, driver }: Fixture, payer: Payer): Promise<CallResult> {
  const jpeg = await photoWithGps({ width: 400, height: 300 });
  return driver.caller.call((await pool.next()).address, sendPhoto(payer, jpeg));
}

function mounted(folder: string): boolean {
  return (
    spawnSync('/bin/mount', ['-t', 'tmpfs', '-o', DISK, 'gatehouse-proof', folder]).status === 0
  );
}

/** Writes until the disk takes no more. */
async function fill(path: string): Promise<void> {
  const file = await open(path, 'w');
  const byPage = async () => {
    for (;;) await file.write(Buffer.alloc(4096));
  };
  await byPage().catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
  });
  await file.close();
}
