import { connect } from 'node:net';
import { Readable } from 'node:stream';
import { listLedgers } from '@gatehouse/contract/ledgers';
import { uploadImage } from '@gatehouse/contract/images';
import { pathAt } from '../harness/calls.ts';
import { openFixture } from '../harness/fixture.ts';
import { peakMib, restartPeak } from '../harness/memory.ts';
import type { Payer } from '../harness/world.ts';
import { mustBe, mustBeAtMost, reported, type Proof } from '../harness/proof.ts';

const MEGABYTE = 1024 * 1024;
const BODY_BYTES = 50 * MEGABYTE;
const MOST_GROWTH_MB = 64;
const PART = Buffer.alloc(256 * 1024, 'A');

/** An attack as the bytes that come first, and how many letters follow. */
type Oversize = { name: string; head: string; more: number; expected: number[] };

/** R19: bodies, lists and headers that are far too large, all at once. */
export const oversizedRequests: Proof<{ bodies: number }> = {
  name: 'R19',
  title: 'Bodies of 50 MB, lists of 10,000 ids and headers of 32 KB, with memory flat',
  sizes: { small: { bodies: 100 }, full: { bodies: 400 } },
  async run({ bodies }, _seed, stage) {
    await using fixture = await openFixture(stage, {
      env: { SHED_LOAD: 'on' },
      servers: 1,
      world: { payers: 1, rentals: 1, owedCents: () => 10_000 },
    });
    const { address, pid } = await fixture.pool.next();
    const attacks = attacksOf(fixture.payers[0]!);
    const wrong = new Map<string, number>();
    let unheard = 0;
    let shed = 0;
    const round = async (count: number) => {
      for (const attack of attacks)
        await Promise.all(
          Array.from({ length: count }, async () => {
            const status = await statusOf(address, attack);
            if (status === 0) unheard += 1;
            else if (status === 503) shed += 1;
            else if (!attack.expected.includes(status))
              wrong.set(
                `${attack.name}: ${status}`,
                (wrong.get(`${attack.name}: ${status}`) ?? 0) + 1,
              );
          }),
        );
    };
    // The first of each kind also pay for compiling and for the buffers that are kept.
    await round(Math.ceil(bodies / 4));
    const before = await restartPeak(pid);
    await round(bodies);
    const most = await peakMib(pid);
    for (const [name, count] of wrong) stage.say(`  ${count} of ${name}`);
    return [
      mustBe(
        'answers other than 413, 431, 422, and 503 while it sheds',
        [...wrong.values()].reduce((sum, count) => sum + count, 0),
        0,
      ),
      mustBe('connections that ended without an answer', unheard, 0),
      reported('answered 503 meanwhile', shed),
      mustBeAtMost('growth of the server, in MiB', most - before, MOST_GROWTH_MB),
      mustBe('servers that ended by themselves', fixture.pool.deaths, 0),
    ];
  },
};

function attacksOf({ tenantId, tokens, rentals }: Payer): Oversize[] {
  const post = (path: string, length: string) =>
    `POST ${path} HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${tokens[0]}\r\ncontent-type: application/json\r\n${length}\r\n\r\n`;
  const says = `content-length: ${BODY_BYTES}`;
  const ids = Array.from({ length: 10_000 }, () => rentals[0]!.ledgerId).join(',');
  const list = Array.from({ length: 60 }, () => tenantId).join(',');
  const get = (path: string, header = '') =>
    `GET ${path} HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${tokens[0]}\r\n${header}\r\n`;
  return [
    {
      name: 'a body to sign in',
      head: post('/api/users/login', says),
      more: BODY_BYTES,
      expected: [413],
    },
    {
      name: 'a photo',
      head: post(pathAt(uploadImage, { tenantId }), says),
      more: BODY_BYTES,
      expected: [413],
    },
    {
      name: 'a list of 10,000 ids',
      head: get(pathAt(listLedgers, { tenantIds: ids })),
      more: 0,
      expected: [431],
    },
    {
      name: 'a list of 60 ids',
      head: get(pathAt(listLedgers, { tenantIds: list })),
      more: 0,
      expected: [422],
    },
    {
      name: 'headers of 32 KB',
      head: get('/healthz', `x: ${'a'.repeat(32_768)}\r\n`),
      more: 0,
      expected: [431],
    },
  ];
}

/**
 * Sends it as fast as it is taken until there is an answer; 0 where the connection ended without
 * one.
 */
async function statusOf(address: string, oversize: Oversize): Promise<number> {
  const socket = connect(Number(new URL(address).port), '127.0.0.1');
  let status = 0;
  socket.on('data', (part: Buffer) => {
    status ||= Number(/^HTTP\/1\.1 (\d+)/.exec(part.toString('latin1'))?.[1] ?? 0);
    socket.destroy();
  });
  // Not `once`, which rejects on an error: a reset is an answer here.
  socket.on('error', () => {});
  const closed = new Promise((resolve) => socket.on('close', resolve));
  Readable.from(bytesOf(oversize)).pipe(socket, { end: false });
  await closed;
  return status;
}

function* bytesOf({ head, more }: Oversize): Generator<string | Buffer> {
  yield head;
  for (let sent = 0; sent < more; sent += PART.length) yield PART;
}
