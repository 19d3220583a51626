import { readdir } from 'node:fs/promises';
import { jsonOf, type Answer } from '../harness/client.ts';
import { canMeasure, peakMib, restartPeak } from '../harness/memory.ts';
import {
  mustBe,
  mustBeAtLeast,
  mustBeAtMost,
  reported,
  type Figure,
  type Proof,
} from '../harness/proof.ts';
import { describePhoto, flatPhoto } from '@gatehouse/server/test/photos.ts';
import { fromNow } from '@gatehouse/server/test/test-day.ts';
import {
  bombs,
  dataUrl,
  heaviestPhotos,
  hiddenWords,
  hostileFiles,
  type HostileFile,
} from './files/hostile-files.ts';
import type { Person } from '../harness/actors.ts';
import { floodUntil } from '../harness/lanes.ts';
import { callOf, idsOf, openSite, type Site } from '../harness/site.ts';
import { untilSome } from '../harness/until.ts';

const NOT_FOUND = '{"message":"Not found."}';
/** More than the places and the queue of photos together. */
const SENDERS = 130;
/** A day's photos of one tenant record. */
const A_DAY = 20;
const formats = ['jpeg', 'png', 'gif', 'webp'];
const served = {
  'content-disposition': /^attachment; filename="[\w.]+"$/,
  'content-type': /^application\/json/,
  'x-content-type-options': /^nosniff$/,
  'content-security-policy': /default-src 'none'.*sandbox/,
  'cache-control': /no-store/,
};

/** T18: files that are no photo, more than a photo, or huge once decoded. */
export const hostileUploads: Proof<{ bombs: number; rounds: number }> = {
  name: 'T18',
  title: 'Hostile files: what is kept is ours, and memory stays flat under bombs',
  sizes: { small: { bombs: 20, rounds: 1 }, full: { bombs: 100, rounds: 3 } },
  async run(size, _seed, stage) {
    await using site = await openSite(stage, { env: { TRUSTED_HOPS: '1' } });
    const small = await bombs();
    const files = [...(await hostileFiles()), ...small];
    return [
      mustBeAtLeast('hostile files', files.length, 40),
      ...(await sendFiles(site, files, stage.say)),
      ...(await exceedDailyLimit(site)),
      ...(await dropBombs(site, small, size)),
      ...(await fillDecoder(site)),
      mustBe('servers that ended by themselves', site.deaths(), 0),
    ];
  },
};

type Kept = { file: HostileFile; who: Person; id: string };

async function sendFiles(
  site: Site,
  files: HostileFile[],
  say: (line: string) => void,
): Promise<Figure[]> {
  const { a, b, c, d, e } = site.actors;
  const people = [a, b, c, d, e];
  const kept: Kept[] = [];
  let unexpected = 0;
  let noSentence = 0;
  const before = await countKept(site);
  for (const [nth, file] of files.entries()) {
    const who = people[nth % people.length]!;
    const answer = await upload(site, who, file);
    const outcome = answer.status === 200 ? 'kept' : answer.status;
    if (outcome === 'kept') kept.push({ file, who, id: (jsonOf(answer) as { id: string }).id });
    if (outcome !== file.outcome) {
      unexpected += 1;
      say(`  ${file.what}: ${outcome} ${answer.text.slice(0, 200)} instead of ${file.outcome}`);
    }
    if (outcome !== 'kept' && !isSentence(answer)) noSentence += 1;
  }
  const after = await countKept(site);
  const stored = await readdir(site.photoFolder);
  let foreign = 0;
  let wrongHeaders = 0;
  let toOthers = 0;
  for (const one of kept) {
    const { shown, wrong } = await show(site, one);
    wrongHeaders += wrong.length;
    for (const fault of wrong) say(`  ${one.file.what}: served with ${fault}`);
    const faults = await faultsOf(shown);
    if (faults.length > 0) foreign += 1;
    for (const fault of faults) say(`  ${one.file.what}: kept with ${fault}`);
    const other = one.who === b ? a : b;
    const asked = await site.send(
      callOf('getImage', { ...idsOf(one.who.records[0]), imageId: one.id }, other),
    );
    if (asked.status !== 404 || asked.text !== NOT_FOUND) toOthers += 1;
  }
  return [
    reported('of them kept', kept.length),
    mustBe('files that were not kept or refused as they must be', unexpected, 0),
    mustBe('refusals that are no sentence', noSentence, 0),
    mustBe('rows of photos that were refused', after.rows - before.rows - kept.length, 0),
    mustBe('stored files of photos that were refused', after.files - before.files - kept.length, 0),
    mustBe(
      'stored files under a name that is not ours',
      stored.filter((name) => !/^[0-9a-f-]{36}$/.test(name)).length,
      0,
    ),
    mustBe('kept files that hold more than a picture of ours', foreign, 0),
    mustBe('headers that were not as they must be', wrongHeaders, 0),
    mustBe('kept files that another tenant was shown', toOthers, 0),
  ];
}

function upload(
  site: Site,
  { token, records: [record] }: Person,
  { imageData, file }: Pick<HostileFile, 'imageData' | 'file'>,
  headers: Record<string, string> = {},
) {
  const body = { imageData, file };
  return site.send(callOf('uploadImage', idsOf(record), { token, headers, body }));
}

async function countKept({ db, photoFolder }: Site): Promise<{ rows: number; files: number }> {
  const rows = await db.owner.selectFrom('images').select('id').execute();
  return { rows: rows.length, files: (await readdir(photoFolder)).length };
}

function isSentence({ status, headers, text }: Answer): boolean {
  if (status < 400 || !String(headers['content-type']).startsWith('application/json')) return false;
  const { message } = JSON.parse(text) as { message?: unknown };
  return typeof message === 'string' && message.length <= 200 && message.endsWith('.');
}

/** The kept file as its owner gets it, and the headers that are not what they must be. */
async function show(site: Site, { who, id }: Kept): Promise<{ shown: string; wrong: string[] }> {
  const answer = await site.send(
    callOf('getImage', { ...idsOf(who.records[0]), imageId: id }, { token: who.token }),
  );
  const wrong = Object.entries(served).filter(
    ([name, form]) => !form.test(String(answer.headers[name])),
  );
  const { imageData } = jsonOf(answer) as { imageData: string };
  return {
    shown: imageData,
    wrong: wrong.map(([name]) => `${name}: ${String(answer.headers[name])}`),
  };
}

/** What of a kept file is not a plain picture of ours. */
async function faultsOf(imageData: string): Promise<string[]> {
  const [, type = '', base64 = ''] = /^data:image\/(\w+);base64,(.*)$/.exec(imageData) ?? [];
  const bytes = Buffer.from(base64, 'base64');
  const { format, width, height, besides } = await describePhoto(bytes);
  const words = hiddenWords.filter((word) => bytes.includes(word));
  return [
    ...(formats.includes(format) && format === type ? [] : [`the format ${format} as ${type}`]),
    ...(Math.max(width, height) <= 1600 ? [] : [`${width} x ${height} pixels`]),
    ...besides,
    ...words.map((word) => `“${word}” in it`),
  ];
}

/** More than a day's photos of one record at once. */
async function exceedDailyLimit(site: Site): Promise<Figure[]> {
  const { e } = site.actors;
  await forgetDay(site);
  const imageData = dataUrl(await flatPhoto('jpeg'));
  const answers = await Promise.all(
    Array.from({ length: A_DAY + 20 }, () => upload(site, e, { imageData, file: 'x.jpg' })),
  );
  const count = (status: number) => answers.filter((answer) => answer.status === status).length;
  return [
    mustBe('photos of one record kept of 40 at once', count(200), A_DAY),
    mustBe('of them refused with 429', count(429), 20),
  ];
}

/** As if everything so far had been sent before yesterday. */
async function forgetDay({ db }: Site): Promise<void> {
  await db.owner
    .updateTable('images')
    .set({ created_at: fromNow(-48 * 3_600_000) })
    .execute();
}

/**
 * Bombs at once, and among them photos that are allowed and take as much memory as a photo may,
 * after a warm-up with as many such photos and those of a phone. The kernel reports the most memory
 * that the server held meanwhile.
 */
async function dropBombs(
  site: Site,
  refused: HostileFile[],
  size: { bombs: number; rounds: number },
): Promise<Figure[]> {
  const { a, b, c, d } = site.actors;
  const people = [a, b, c, d];
  const heaviest = await heaviestPhotos();
  const all = [...refused.map(({ imageData }) => imageData), ...heaviest];
  const phone = dataUrl(await flatPhoto('jpeg', { width: 4000, height: 3000 }));
  const send = async (count: number, photos: string[]) => {
    await forgetDay(site);
    return Promise.all(
      Array.from({ length: count }, (_, nth) =>
        upload(site, people[nth % people.length]!, {
          imageData: photos[nth % photos.length]!,
          file: 'x.jpg',
        }),
      ),
    );
  };
  await send(size.bombs, [phone, ...heaviest]);
  const before = canMeasure ? await restartPeak(site.pid) : 0;
  let unanswered = 0;
  for (let round = 0; round < size.rounds; round += 1) {
    const answers = await send(size.bombs, all);
    unanswered += answers.filter(
      ({ status }) => ![200, 413, 422, 429, 503].includes(status),
    ).length;
  }
  return [
    reported('bombs at once', size.bombs, 'max'),
    mustBe('bombs that were not answered in order', unanswered, 0),
    canMeasure
      ? mustBeAtMost(
          'MiB that the server held more meanwhile, at its peak',
          (await peakMib(site.pid)) - before,
          64,
        )
      : reported('MiB that the server held more meanwhile: not measured on this system', 0),
  ];
}

/**
 * One tenant's photos, many at once and long to decode, while another sends a photo and looks at
 * it. They are damaged at their end, so that no limit of a day ends the attack.
 */
async function fillDecoder(site: Site): Promise<Figure[]> {
  const { a, b } = site.actors;
  await forgetDay(site);
  const whole = await flatPhoto('png', { width: 4000, height: 3000 });
  const damaged = dataUrl(whole.subarray(0, -100), 'image/png');
  const photo = dataUrl(await flatPhoto('jpeg'));
  const from = (address: string) => ({ 'x-forwarded-for': address });
  const statuses: number[] = [];
  let refused = 0;
  await floodUntil(
    SENDERS,
    async () => {
      const file = { imageData: damaged, file: 'x.png' };
      const { status } = await upload(site, a, file, from('198.51.100.1'));
      if (status === 503) refused += 1;
    },
    async () => {
      await untilSome(() => refused);
      const kept = await upload(site, b, { imageData: photo, file: 'x.jpg' }, from('203.0.113.7'));
      const shown = await site.send(
        callOf('getImage', idsOf(b.records[0]), { token: b.token, headers: from('203.0.113.7') }),
      );
      statuses.push(kept.status, shown.status);
    },
  );
  return [
    reported('photos of a flood that were refused', refused),
    mustBe(
      'photos of another tenant meanwhile that were not kept or shown',
      statuses.filter((status) => status !== 200).length,
      0,
    ),
  ];
}
