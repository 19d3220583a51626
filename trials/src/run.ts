import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
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

/** Where stopped runs, results and the files of a run lie; not kept in the repository. */
const STATE = fileURLToPath(new URL('../.state/', import.meta.url));

/** The progress of a run, for `--resume`. */
type Progress = { size: Size; seed: number; parts: { figures: Figure[]; seconds: number }[] };

/** Runs the command and prints each figure with its limit. Returns whether all figures hold. */
export async function runProofs({
  chosen,
  seed,
  isResumed,
  minutes,
  together,
}: Command): Promise<boolean> {
  mkdirSync(STATE, { recursive: true });
  const deadline = performance.now() + minutes * 60_000;
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
        const holds = await runProof(proof, size, seed, isResumed, deadline, stage).finally(() =>
          lines.forEach(print),
        );
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

async function runProof(
  proof: Proof,
  size: Size,
  seed: number,
  isResumed: boolean,
  deadline: number,
  stage: Stage,
): Promise<boolean> {
  const { say } = stage;
  say(`\n${proof.name}  ${proof.title}\n  size ${formatSize(size)}, seed ${seed}`);
  const parts = proof.parts?.(size) ?? [size];
  const progress = (isResumed && resumed(proof, size, seed)) || { size, seed, parts: [] };
  if (progress.parts.length > 0)
    say(`  continues after part ${progress.parts.length} of ${parts.length}`);
  while (
    progress.parts.length < parts.length &&
    (progress.parts.length === 0 || performance.now() < deadline)
  ) {
    const index = progress.parts.length;
    const begun = performance.now();
    const figures = await proof.run(parts[index]!, seed + index, stage);
    const seconds = (performance.now() - begun) / 1000;
    progress.parts.push({ figures, seconds });
    keep(proof, progress);
    const faults = figures.filter((figure) => !holds(figure));
    if (parts.length > 1)
      say(`  part ${index + 1} of ${parts.length}, seed ${seed + index}: ${seconds.toFixed(0)} s`);
    for (const fault of faults)
      say(`  DOES NOT HOLD at seed ${seed + index}, ${describeFigure(fault)}`);
  }
  return summarise(proof, progress, parts, say);
}

function summarise(
  proof: Proof,
  { size, seed, parts: done }: Progress,
  parts: Size[],
  say: Stage['say'],
): boolean {
  const figures = join(done.map((part) => part.figures));
  const seconds = done.reduce((sum, part) => sum + part.seconds, 0);
  for (const figure of figures)
    say(`  ${holds(figure) ? 'ok  ' : 'FAIL'}  ${describeFigure(figure)}`);
  const reached = addUp(parts.slice(0, done.length));
  const isReached = done.length === parts.length;
  if (!isReached) say(`  NOT REACHED: ${formatSize(reached)} of ${formatSize(size)}`);
  say(`  ${seconds.toFixed(0)} s`);
  const held = figures.every(holds);
  const result = {
    proof: proof.name,
    at: new Date().toISOString(),
    size,
    reached,
    isReached,
    seed,
    held,
    seconds,
  };
  appendFileSync(pathOf(STATE, 'results.jsonl'), `${JSON.stringify({ ...result, figures })}\n`);
  return held;
}

function addUp(parts: Size[]): Size {
  const sum: Size = {};
  for (const part of parts)
    for (const [name, value] of Object.entries(part)) sum[name] = (sum[name] ?? 0) + value;
  return sum;
}

function resumed(proof: Proof, size: Size, seed: number): Progress | undefined {
  const file = progressFile(proof);
  if (!existsSync(file)) return undefined;
  const kept = JSON.parse(readFileSync(file, 'utf8')) as Progress; // written by `keep`
  return JSON.stringify([kept.size, kept.seed]) === JSON.stringify([size, seed]) ? kept : undefined;
}

/** Written to a temporary file and renamed, so that a killed run leaves a complete file. */
function keep(proof: Proof, progress: Progress): void {
  const file = progressFile(proof);
  writeFileSync(`${file}.new`, JSON.stringify(progress));
  renameSync(`${file}.new`, file);
}

function progressFile(proof: Proof): string {
  return pathOf(STATE, `${proof.name}.json`);
}

function formatSize(size: Size): string {
  return Object.entries(size)
    .map(([name, value]) => `${name}=${value}`)
    .join(',');
}
