import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { Agent, request, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { openOwnerDatabase, type Database } from '#db/database.ts';
import { bombs, dataUrl, heaviestPhotos } from '#features/base/images/hostile-files.fixture.ts';
import { DEMO_PASSWORD } from '#seeds/demo.ts';
import { TEST_DATA_KEYS } from './data-keys.ts';
import { flatPhoto } from './photos.ts';
import { endServer, startServer, type ServerProcess } from './server-process.ts';
import { createDatabase, databaseUrl } from './templates.ts';
import { fromNow } from './test-day.ts';
import { WIDE_LIMITS } from './wide-limits.ts';
import { changeRows } from './rows.ts';

const MEGABYTE = 1024 * 1024;
const TOO_LARGE = '{"message":"The photo is too large. It may have at most 6 MB."}';
const GIVES_WAY = '{"message":"Many photos are arriving right now. Please try again in a moment."}';
const ANOTHER = '{"message":"Another photo of yours is still arriving. Please try again."}';
const TOO_SLOW = '{"message":"The request took too long to arrive. Please try again."}';

let dataDir: string;
let owner: Database;
let server: ServerProcess;
let token: string;
let images: string;
const agent = new Agent({ keepAlive: true });

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'gatehouse-uploads-'));
  const name = `uploads_${randomUUID().replaceAll('-', '')}`;
  const maintenance = openOwnerDatabase(inject('clusterUrl'));
  await createDatabase(maintenance, name, 'demo_template');
  await maintenance.destroy();
  const DATABASE_URL = databaseUrl(inject('clusterUrl'), name);
  owner = openOwnerDatabase(DATABASE_URL);
  server = await startServer({
    DATA_DIR: dataDir,
    DATABASE_URL,
    DATA_KEYS: TEST_DATA_KEYS,
    LIMITS: WIDE_LIMITS,
  });
  ({ token, images } = await signIn('dana@example.com'));
});
afterAll(async () => {
  agent.destroy();
  await endServer(server, 'SIGTERM');
  await owner.destroy();
  await rm(dataDir, { recursive: true, force: true });
});

/** A token and where its owner's photos are sent. */
async function signIn(username: string): Promise<{ token: string; images: string }> {
  const where = { locationCode: 'TXDFW03', corporationCode: 'ANCHOR' };
  const answer = await fetch(`${server.url}/api/users/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username, password: DEMO_PASSWORD, ...where }),
  });
  const signedIn = (await answer.json()) as { token: string; tenants: { id: string }[] };
  const tenant = `/api/corporations/ANCHOR/locations/TXDFW03/tenants/${signedIn.tenants[0]!.id}`;
  return { token: signedIn.token, images: `${tenant}/images` };
}

type Sending = {
  path?: string;
  isSignedIn?: boolean;
  bytes: number;
  saysLength: boolean;
  bytesPerSecond?: number;
};
type Sent = { status: number | undefined; text: string; seconds: number };

/**
 * Sends a data URL of this many bytes, at full speed or slowly, and returns the answer and its
 * time.
 */
function send({
  path = images,
  isSignedIn = true,
  bytes,
  saysLength,
  bytesPerSecond,
}: Sending): Promise<Sent> {
  const headers = {
    'content-type': 'application/json',
    ...(isSignedIn && { authorization: `Bearer ${token}` }),
    ...(saysLength && { 'content-length': bytes }),
  };
  const startedAt = performance.now();
  return new Promise((resolve, reject) => {
    let sentBytes = 0;
    let isAnswered = false;
    const call = request(server.url + path, { method: 'POST', agent, headers }, (response) => {
      isAnswered = true;
      void textOf(response).then((text) => {
        resolve({
          status: response.statusCode,
          text,
          seconds: (performance.now() - startedAt) / 1000,
        });
        call.destroy();
      }, reject);
    });
    call.on('error', (error) => isAnswered || reject(error));
    const part = Buffer.alloc(bytesPerSecond ?? 65_536, 'A');
    const begin = Buffer.from('{"imageData":"data:image/png;base64,');
    const write = async () => {
      for (let next = begin; sentBytes + next.length <= bytes && !isAnswered; next = part) {
        const isTaken = call.write(next);
        sentBytes += next.length;
        if (bytesPerSecond !== undefined) await pause(1000);
        else if (!isTaken) await new Promise((go) => call.once('drain', go));
      }
    };
    void write();
  });
}

async function textOf(response: IncomingMessage): Promise<string> {
  let text = '';
  for await (const part of response.setEncoding('utf8')) text += part as string;
  return text;
}

async function residentBytes(): Promise<number> {
  const text = await (await fetch(server.metricsUrl)).text();
  return Number(/^process_resident_memory_bytes (\S+)$/m.exec(text)?.[1]);
}

/** The server's peak of memory in MiB since `restartPeak`, by the kernel. */
async function memoryOf(name: 'VmRSS' | 'VmHWM'): Promise<number> {
  const status = await readFile(`/proc/${server.process.pid}/status`, 'utf8');
  return Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1]) / 1024;
}
/** Current memory in MiB; the peak is counted from here on. */
async function restartPeak(): Promise<number> {
  await writeFile(`/proc/${server.process.pid}/clear_refs`, '5');
  return memoryOf('VmRSS');
}

/** Sends bytes, and then this many more, until there is an answer; 0 where there is none. */
async function statusOf(head: string, more = 0): Promise<number> {
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
  let status = 0;
  socket.on('data', (part: Buffer) => {
    status ||= Number(/^HTTP\/1\.1 (\d+)/.exec(part.toString('latin1'))?.[1] ?? 0);
    socket.destroy();
  });
  // Not `once`, which rejects on an error: a reset after the answer is none.
  socket.on('error', () => {});
  const closed = new Promise((resolve) => socket.on('close', resolve));
  socket.write(head);
  const part = Buffer.alloc(256 * 1024, 'A');
  for (let sent = 0; sent < more && !socket.destroyed; sent += part.length)
    if (!socket.write(part))
      await Promise.race([closed, new Promise((resolve) => socket.once('drain', resolve))]);
  await closed;
  return status;
}

describe.runIf(process.platform === 'linux')('a hundred at once leave memory flat', () => {
  test('of bodies of 50 MB, lists of ids and large headers, each refused (R19)', async () => {
    const [, tenantId] = /([^/]+)\/images$/.exec(images)!;
    const head = (line: string, header = '') =>
      `${line} HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${token}\r\n${header}\r\n`;
    const ledgers = (count: number) => {
      const ids = Array.from({ length: count }, () => tenantId).join(',');
      return head(`GET ${images.replace(/[^/]+\/images$/, ids)}/ledgers`);
    };
    const says = `content-type: application/json\r\ncontent-length: ${50 * MEGABYTE}\r\n`;
    const attacks: [status: number, head: string, more: number][] = [
      [413, head('POST /api/users/login', says), 50 * MEGABYTE],
      [431, ledgers(10_000), 0],
      [422, ledgers(60), 0],
      [431, head('GET /healthz', `x: ${'a'.repeat(32_768)}\r\n`), 0],
    ];
    const round = async (count: number) => {
      for (const [status, bytes, more] of attacks) {
        const answers = await Promise.all(
          Array.from({ length: count }, () => statusOf(bytes, more)),
        );
        expect(new Set(answers)).toEqual(new Set([status]));
      }
    };
    // The first of each kind also pay for compiling and for the buffers that are kept.
    await round(25);
    const before = await restartPeak();
    await round(100);
    expect((await memoryOf('VmHWM')) - before).toBeLessThan(64);
  });

  test('of bombs, among the heaviest photos that are kept', async () => {
    const emails = ['dana', 'lee', 'pat'].map((name) => `${name}@example.com`);
    const people = await Promise.all(emails.map(signIn));
    const heaviest = await heaviestPhotos();
    const phone = dataUrl(await flatPhoto('jpeg', { width: 4000, height: 3000 }));
    const send = async (photos: string[]) => {
      // As if the photos so far were of another day.
      const created_at = fromNow(-48 * 3_600_000);
      await changeRows(owner, 'images', { created_at });
      return Promise.all(
        Array.from({ length: 100 }, async (_, nth) => {
          const person = people[nth % people.length]!;
          const answer = await fetch(server.url + person.images, {
            method: 'POST',
            headers: {
              'content-type': 'application/json',
              authorization: `Bearer ${person.token}`,
            },
            body: JSON.stringify({ imageData: photos[nth % photos.length], file: 'x.jpg' }),
          });
          await answer.arrayBuffer();
          return answer.status;
        }),
      );
    };
    await send([phone, ...heaviest]);
    const before = await restartPeak();
    const refused = (await bombs()).map(({ imageData }) => imageData);
    const statuses = await send([...refused, ...heaviest]);
    expect((await memoryOf('VmHWM')) - before).toBeLessThan(64);
    expect(statuses.filter((status) => ![200, 413, 422, 429, 503].includes(status))).toEqual([]);
    expect(statuses).toContain(413);
  });
});

test('a hundred sockets that send a byte every 5 seconds, in headers or body, are cut, and reads go on (R18)', async () => {
  const lives = Array.from({ length: 100 }, async (_, nth) => {
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
    socket.on('error', () => {}).resume();
    const ended = once(socket, 'close');
    socket.write('POST /api/users/login HTTP/1.1\r\nhost: localhost\r\n');
    socket.write('content-type: application/json\r\n');
    socket.write(nth % 2 === 0 ? 'x-slow: ' : 'content-length: 1000\r\n\r\n{');
    const dripping = setInterval(() => socket.write('a'), 5000);
    await ended;
    clearInterval(dripping);
  });
  let left = lives.length;
  for (const life of lives) void life.then(() => (left -= 1));
  const startedAt = performance.now();
  const statuses: number[] = [];
  while (left > 0) {
    const answer = await fetch(`${server.url}/api/corporations/ANCHOR/locations`);
    await answer.arrayBuffer();
    statuses.push(answer.status);
    await pause(50);
  }
  // At 15 seconds; what a busy machine adds does not count.
  expect((performance.now() - startedAt) / 1000).toBeLessThan(60);
  expect(statuses.length).toBeGreaterThan(20);
  expect(new Set(statuses)).toEqual(new Set([200]));
});

describe.runIf(process.platform === 'linux')(
  '50 MB data URLs are refused in a sentence with memory flat (R19)',
  () => {
    /**
     * Sends 25 at once, four times; returns the growth of the process after the first time, which
     * is a warm-up.
     */
    async function growthFrom(saysLength: boolean): Promise<number> {
      const sizes: number[] = [];
      for (let round = 0; round < 4; round++) {
        const sent = await Promise.all(
          Array.from({ length: 25 }, () => send({ bytes: 50 * MEGABYTE, saysLength })),
        );
        // On a busy machine photos are shed first.
        for (const { status, text } of sent)
          expect([`413 ${TOO_LARGE}`, `429 ${ANOTHER}`, `503 ${GIVES_WAY}`]).toContain(
            `${status} ${text}`,
          );
        sizes.push(await residentBytes());
      }
      return Math.max(...sizes.slice(1)) - sizes[0]!;
    }

    // asvs 5.2.1
    test('unread where they declare their length', async () => {
      expect(await growthFrom(true)).toBeLessThan(64 * MEGABYTE);
    });

    test('after 8 MiB where they do not', async () => {
      expect(await growthFrom(false)).toBeLessThan(64 * MEGABYTE);
    });

    test('and without a live token nothing of one is read', async () => {
      const { status } = await send({ bytes: 50 * MEGABYTE, saysLength: false, isSignedIn: false });
      expect(status).toBe(401);
    });
  },
);

describe.concurrent('a slow body is ended', () => {
  // Their bodies would take longer than a minute; what a busy machine adds does not count.
  test('of a call without a photo: after 15 seconds', async () => {
    const slow = { bytes: 1000, saysLength: true, bytesPerSecond: 10 };
    const { status, text, seconds } = await send({ ...slow, path: '/api/users/login' });
    expect([status, text]).toEqual([408, TOO_SLOW]);
    expect(seconds).toBeLessThan(60);
  });

  test('of a photo below the least rate: soon after 10 seconds', async () => {
    const { status, text, seconds } = await send({
      bytes: MEGABYTE,
      saysLength: true,
      bytesPerSecond: 100,
    });
    expect([status, text]).toEqual([408, TOO_SLOW]);
    expect(seconds).toBeLessThan(60);
  });

  test('but a photo that takes longer than other calls may is accepted', async () => {
    const bytes = 36 + 18 * 8000;
    const { text, seconds } = await send({ bytes, saysLength: true, bytesPerSecond: 8000 });
    expect(seconds).toBeGreaterThan(16);
    expect(text).toBe('{"message":"The request body is not valid JSON."}');
  });
});
