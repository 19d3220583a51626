import { parseArgs } from 'node:util';
import { hashToken } from '@gatehouse/server/src/http/token.ts';
import { fromNow } from '@gatehouse/server/test/test-day.ts';
import { newBrowserKey } from '../harness/browser-key.ts';
import { readLedgers } from '../harness/calls.ts';
import type { Call } from '../harness/client.ts';
import { turns } from '../harness/orders.ts';
import { printMachine } from '../harness/report.ts';
import type { Payer } from '../harness/world.ts';
import { TENANTS, withFixture, type Fixture } from './fixture.ts';
import { aimRow, reportAims } from './aims.ts';
import { alternate } from './pairs.ts';
import { medianRatio, middle, printRounds } from './report.ts';
import { startReal } from './servers.ts';

const AIM = 0.9;
/** A page of the portal sends about as many reads with one proof. */
const READS_A_PROOF = 5;
/** Proofs of one tenant, each of another second; the server takes 300 on either side of now. */
const PROOFS = 240;

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
 * The signed-in read of the real server by bound tokens compared with the same read by unbound
 * ones.
 */
async function bench({ url, owner, folder, tenants, closers }: Fixture): Promise<void> {
  const server = await startReal(url, folder);
  closers.push(() => server.stop());
  const bound = tenants[9].slice(0, tenants[9].length / 2);
  const unbound = tenants[9].slice(tenants[9].length / 2);
  const proofs = new Map<Payer, Call['headers'][]>();
  for (const payer of bound) {
    const { proofKey, prove } = newBrowserKey();
    const [token] = payer.tokens;
    const key = Buffer.from(proofKey, 'base64');
    const bind = owner.updateTable('sessions').set({ proof_key: key });
    await bind.where('token_hash', '=', hashToken(token!)).execute();
    const at = (index: number) => fromNow((index - PROOFS / 2) * 1000);
    proofs.set(
      payer,
      Array.from({ length: PROOFS }, (_, index) => prove(token!, at(index))),
    );
  }
  await printMachine(owner);
  const shape = { connections: 16, duration: Number(options.seconds) };
  let sent = 0;
  const pairings = await alternate(
    { real: server, bare: server },
    { shape, rounds: Number(options.rounds), warmUps: Number(options['warm-ups']) },
    (side) => {
      const next = turns(side === 'real' ? bound : unbound);
      return () => {
        const payer = next();
        const call = readLedgers(payer);
        if (side === 'bare') return call;
        const round = Math.floor(sent++ / bound.length);
        const headers = proofs.get(payer)![Math.floor(round / READS_A_PROOF) % PROOFS];
        return { ...call, headers };
      };
    },
  );
  printRounds(
    'GET …/tenants/{id}/ledgers by bound tokens (real) and unbound ones (bare), 16 connections',
    pairings,
  );
  const perSecond = (side: 'real' | 'bare') =>
    `${middle(pairings, side, (round) => round.perSecond).toFixed(0)}/s`;
  reportAims([
    aimRow({
      what: 'a read by a bound token against one by an unbound token',
      ours: perSecond('real'),
      bare: perSecond('bare'),
      value: medianRatio(pairings, 'real', 'bare'),
      atLeast: AIM,
    }),
  ]);
}
