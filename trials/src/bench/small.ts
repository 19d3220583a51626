import { childEnvironment } from '@gatehouse/server/test/child-environment.ts';
import { say } from '../harness/report.ts';
import { ensureWebBuilt } from '../../../scripts/web.mjs';
import { benches } from './benches.ts';
import { runBench } from './children.ts';

/** Compiled code is kept between runs, as for the servers. */
const env = { NODE_COMPILE_CACHE: childEnvironment.NODE_COMPILE_CACHE };
/** Most of a small bench's time is the start of its servers, which wait for the disk. */
const TOGETHER = 3;

/**
 * Runs every bench at its smallest size, so that none can break unseen. The figures mean nothing
 * then; what a bench checks, such as sound books and equal answers, must hold.
 */
await ensureWebBuilt();
const waiting = Object.entries(benches);
const failed: string[] = [];
await Promise.all(Array.from({ length: TOGETHER }, lane));
if (failed.length > 0) {
  say(`These benches failed: ${failed.join(', ')}.`);
  process.exitCode = 1;
}

async function lane(): Promise<void> {
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    const [name, { small }] = next;
    const begun = performance.now();
    const { isWell, output } = await runBench([name, ...small], { env, isKept: true });
    const seconds = ((performance.now() - begun) / 1000).toFixed(0);
    say(`bench ${name}: ${isWell ? 'ran' : 'FAILED'} in ${seconds} s`);
    if (isWell) continue;
    failed.push(name);
    say(output);
  }
}
