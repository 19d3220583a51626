import { parseArgs } from 'node:util';
import { say } from '../harness/report.ts';
import type { Call } from '../harness/client.ts';
import { aimRow, reportAims } from './aims.ts';
import { callsOf } from './page-load.ts';
import { alternate } from './pairs.ts';
import { middle, printRounds, processorMs } from './report.ts';
import type { Session } from './session.ts';
import type { Link } from './shaper.ts';
import { type Sites, withSites } from './sites.ts';

/** Any: what is counted does not depend on it. */
const LINK: Link = { rttMs: 20, downKbit: 10_000, upKbit: 10_000, windowBytes: 14_600 };
const MOST_CALLS = 3;
const MOST_MS = 4;

const { values: options } = parseArgs({
  args: process.argv.slice(3),
  options: {
    rounds: { type: 'string', default: '7' },
    'warm-ups': { type: 'string', default: '2' },
    seconds: { type: 'string', default: '3' },
  },
});

await withSites(LINK, measure);

/**
 * My Units with an empty cache: how many calls the page makes, and what they cost the server.
 * Beside it the specification's calls of the same parts, sent one after the other.
 */
async function measure({ browser, session, portal, floor, server }: Sites): Promise<void> {
  const calls = await callsOf(browser, `${portal}/`, session);
  const bareCalls = await callsOf(browser, `${floor}/`, session);
  say('Calls of My Units with an empty cache:');
  for (const call of calls) say(`  ${call}`);

  const { token, currentTenantId, locationCode } = JSON.parse(session) as Session;
  const prefix = `/api/corporations/ANCHOR/locations/${locationCode}`;
  const record = `${prefix}/tenants/${currentTenantId}`;
  const get = (path: string): Call => ({ method: 'GET', path, token });
  const ledgers = await fetch(`${server.address}${record}/ledgers`, {
    headers: { authorization: `Bearer ${token}` },
  });
  const rentals = (await ledgers.json()) as { id: string; unitId: string }[];
  const parts = [
    prefix,
    record,
    `${record}/ledgers`,
    `${record}/autopays`,
    `${record}/files`,
    `${prefix}/ledgers/${rentals.map(({ id }) => id).join()}/insurance-statuses`,
    ...rentals.map(({ unitId }) => `${prefix}/units/${unitId}/gate-access`),
    ...rentals.map(({ id }) => `${prefix}/ledgers/${id}/unit-contents`),
  ];
  const turns = await alternate(
    { overview: server, parts: server },
    {
      shape: { connections: 1, duration: Number(options.seconds) },
      rounds: Number(options.rounds),
      warmUps: Number(options['warm-ups']),
    },
    (side) => {
      let sent = 0;
      return () => get(side === 'overview' ? `${record}/overview` : parts[sent++ % parts.length]!);
    },
  );
  printRounds(
    `GET …/tenants/{id}/overview and the ${parts.length} calls of its parts (each one request), one at a time`,
    turns,
  );
  const overviewMs = middle(turns, 'overview', processorMs);
  const partsMs = middle(turns, 'parts', processorMs) * parts.length;
  reportAims([
    aimRow({
      what: 'My Units, cold: calls',
      ours: String(calls.length),
      bare: `${bareCalls.length} of the hand-written page`,
      value: calls.length,
      digits: 0,
      atMost: MOST_CALLS,
    }),
    aimRow({
      what: 'My Units, cold: processor of the overview, node and PostgreSQL',
      ours: `${overviewMs.toFixed(2)} ms`,
      bare: `${partsMs.toFixed(2)} ms by the ${parts.length} calls of its parts`,
      value: overviewMs,
      unit: ' ms',
      atMost: MOST_MS,
    }),
  ]);
}
