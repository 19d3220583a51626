import { appendFileSync, mkdirSync, rmSync } from 'node:fs';
import { join as pathOf } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Command } from './command.ts';
import { startCluster, type Cluster } from './harness/cluster.ts';
import {
  holds,
  join,
  describeFigure,
  type Figure,
  type Proof,
  type Size,
  type Stage,
} from './harness/proof.ts';
import { say as print } from './harness/report.ts';

/** Where results and the files of a run lie; not kept in the repository. */
const STATE = fileURLToPath(new URL('../.state/', import.meta.url));

/** Runs the command and prints each figure with its limit. Returns whether all figures hold. */
export async function runProofs({ chosen, seed, together }: Command): Promise<boolean> {
  mkdirSync(STATE, { recursive: true });
  const faulty: string[] = [];
  const waiting = [...chosen];
  const lane = async () => {
    let cluster: Promise<Cluster> | undefined;
    try {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
        const { proof, size } = next;
        const folder = pathOf(STATE, `${proof.name}-files`);
        rmSync(folder, { recursive: true, force: true });
        mkdirSync(folder);
        // When several run at once, each prints its output at its end.
        const lines: string[] = [];
        const say = together === 1 ? print : (line: string) => void lines.push(line);
        const stage = { say, folder, cluster: () => (cluster ??= startCluster()) };
        const holds = await runProof(proof, size, seed, stage).finally(() => lines.forEach(print));
        if (!holds) faulty.push(proof.name);
      }
    } finally {
      await (await cluster)?.stop();
    }
  };
  await Promise.all(Array.from({ length: together }, lane));
  print(
    faulty.length === 0 ? 'Every figure holds.' : `SOME FIGURES DO NOT HOLD: ${faulty.join(', ')}.`,
  );
  return faulty.length === 0;
}

async function runProof(proof: Proof, size: Size, seed: number, stage: Stage): Promise<boolean> {
  const { say } = stage;
  say(`\n${proof.name}  ${proof.title}\n  size ${formatSize(size)}, seed ${seed}`);
  const parts = proof.parts?.(size) ?? [size];
  const found: Figure[][] = [];
  const begun = performance.now();
  for (const [index, part] of parts.entries()) {
    const figures = await proof.run(part, seed + index, stage);
    found.push(figures);
    if (parts.length > 1) say(`  part ${index + 1} of ${parts.length}, seed ${seed + index}`);
    for (const fault of figures.filter((figure) => !holds(figure)))
      say(`  DOES NOT HOLD at seed ${seed + index}, ${describeFigure(fault)}`);
  }
  const figures = join(found);
  const seconds = (performance.now() - begun) / 1000;
  for (const figure of figures)
    say(`  ${holds(figure) ? 'ok  ' : 'FAIL'}  ${describeFigure(figure)}`);
  say(`  ${seconds.toFixed(0)} s`);
  const held = figures.every(holds);
  const result = { proof: proof.name, at: new Date().toISOString(), size, seed, held, seconds };
  appendFileSync(pathOf(STATE, 'results.jsonl'), `${JSON.stringify({ ...result, figures })}\n`);
  return held;
}

function formatSize(size: Size): string {
  const parts = Object.entries(size).map(([name, value]) => `${name}=${value}`);
  return parts.join(',') || 'as it is';
}
