import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { Agent, request, type IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { openOwnerDatabase } from '#db/database.ts';
import { DEMO_PASSWORD } from '#seeds/demo.ts';
import { TEST_DATA_KEYS } from './data-keys.ts';
import { endServer, startServer, type ServerProcess } from './server-process.ts';
import { createDatabase, databaseUrl } from './templates.ts';

const MEGABYTE = 1024 * 1024;
const TOO_LARGE = '{"message":"The photo is too large. It may have at most 6 MB."}';
const GIVES_WAY = '{"message":"Many photos are arriving right now. Please try again in a moment."}';
const ANOTHER = '{"message":"Another photo of yours is still arriving. Please try again."}';
const TOO_SLOW = '{"message":"The request took too long to arrive. Please try again."}';

let dataDir: string;
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
  server = await startServer({ DATA_DIR: dataDir, DATABASE_URL, DATA_KEYS: TEST_DATA_KEYS });
  const body = {
    username: 'dana@example.com',
    password: DEMO_PASSWORD,
    locationCode: 'TXDFW03',
    corporationCode: 'ANCHOR',
  };
  const answer = await fetch(`${server.url}/api/users/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const signedIn = (await answer.json()) as { token: string; tenants: { id: string }[] };
  token = signedIn.token;
  images = `/api/corporations/ANCHOR/locations/TXDFW03/tenants/${signedIn.tenants[0]!.id}/images`;
});
afterAll(async () => {
  agent.destroy();
  await endServer(server, 'SIGTERM');
  await rm(dataDir, { recursive: true, force: true });
});

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
        // On a busy machine photos are shed first (D32).
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

describe.concurrent('a slow body is ended (D30)', () => {
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
