import { parseArgs } from 'node:util';
import { readLedgers } from '../harness/calls.ts';
import { turns } from '../harness/orders.ts';
import { UNGUARDED } from './calls.ts';
import { TENANTS, withFixture, type Fixture } from './fixture.ts';
import { aimRow, reportAims } from './aims.ts';
import { alternate } from './pairs.ts';
import { printMachine } from '../harness/report.ts';
import { medianRatio, middle, printRounds } from './report.ts';
import { startReal, startUnguarded } from './servers.ts';

const AIM = 0.8;

const { values: options } = parseArgs({
  args: process.argv.slice(3),
  options: {
    rounds: { type: 'string', default: '7' },
    'warm-ups': { type: 'string', default: '2' },
    seconds: { type: 'string', default: '3' },
    tenants: { type: 'string', default: String(TENANTS) },
  },
});

await withFixture(bench, { asking: Number(options.tenants) });

/**
 * The signed-in read of the real server compared with the same read of the app without guard and
 * row-level security.
 */
async function bench({ url, owner, folder, tenants, closers }: Fixture): Promise<void> {
  const real = await startReal(url, folder);
  closers.push(() => real.stop());
  const bare = await startUnguarded(url, folder);
  closers.push(() => bare.stop());
  await printMachine(owner);
  const shape = { connections: 16, duration: Number(options.seconds) };
  const pairings = await alternate(
    { real, bare },
    { shape, rounds: Number(options.rounds), warmUps: Number(options['warm-ups']) },
    (side) => {
      const next = turns(tenants[9]);
      return () => {
        const call = readLedgers(next());
        return side === 'real' ? call : { ...call, path: UNGUARDED + call.path };
      };
    },
  );
  printRounds(
    'GET …/tenants/{id}/ledgers with guard and row-level security (real) and without (bare), 16 connections',
    pairings,
  );
  const perSecond = (side: 'real' | 'bare') =>
    `${middle(pairings, side, (round) => round.perSecond).toFixed(0)}/s`;
  reportAims([
    aimRow({
      what: 'a read against the same without guard and row-level security',
      ours: perSecond('real'),
      bare: perSecond('bare'),
      value: medianRatio(pairings, 'real', 'bare'),
      atLeast: AIM,
    }),
  ]);
}
