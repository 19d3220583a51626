import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const main = fileURLToPath(import.meta.resolve('./main.ts'));

const running = new Set<ChildProcess>();
// They end in their own order, and this process after them.
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.on(signal, () => running.forEach((child) => child.kill(signal)));

/**
 * Runs a bench in a process of its own, with its output on this one's, or kept until its end.
 * Answers whether it ended well, and what it printed where that was kept.
 */
export async function runBench(
  args: string[],
  { env = {}, isKept = false }: { env?: Record<string, string>; isKept?: boolean } = {},
): Promise<{ isWell: boolean; output: string }> {
  const child = spawn(process.execPath, [main, ...args], {
    env: { ...process.env, ...env },
    stdio: ['ignore', isKept ? 'pipe' : 'inherit', isKept ? 'pipe' : 'inherit'],
  });
  running.add(child);
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (text: string) => (output += text));
  const [code] = (await once(child, 'close')) as [number | null];
  running.delete(child);
  return { isWell: code === 0, output };
}
