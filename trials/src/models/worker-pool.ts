import { fork, type ChildProcess } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { NewDatabase } from '../harness/cluster.ts';
import type { Stage } from '../harness/proof.ts';

/** Runs tasks in a child process, on a separate database. */
export type Worker<Task, Result> = { work(task: Task): Promise<Result>; close(): Promise<void> };

/** What a file in or below this folder exports for a worker to run. */
export type WorkerModule<Task, Result> = { open(url: string): Promise<Worker<Task, Result>> };

/** Asked and answered over the channel between the processes. */
export type Answer<Result> = { ready: true } | { result: Result } | { fault: string };

type Options = { stage: Stage; module: string; env?: NodeJS.ProcessEnv; workers?: number };

/**
 * Runs the tasks in one process more than there are processors, because they also wait for their
 * databases.
 */
export async function inWorkerPool<Result>(
  tasks: unknown[],
  { stage, module, env, workers }: Options,
): Promise<Result[]> {
  const cluster = await stage.cluster();
  const results: Result[] = [];
  let next = 0;
  const count = Math.min(tasks.length, workers ?? availableParallelism() + 1);
  await Promise.all(
    Array.from({ length: count }, async () => {
      const database = await cluster.newDatabase();
      const worker = start(module, database, env);
      try {
        await worker.answer;
        while (next < tasks.length) {
          const index = next++;
          results[index] = (await worker.ask(tasks[index])) as Result;
        }
      } finally {
        worker.end();
        await worker.gone;
        await database.close();
      }
    }),
  );
  return results;
}

function start(module: string, { url }: NewDatabase, env: NodeJS.ProcessEnv = {}) {
  const file = fileURLToPath(new URL('worker.ts', import.meta.url));
  const child = fork(file, [module, url], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  return {
    answer: nextAnswer(child),
    ask(task: unknown) {
      const answer = nextAnswer(child);
      child.send({ task });
      return answer;
    },
    end: () => child.connected && child.disconnect(),
    gone,
  };
}

function nextAnswer(child: ChildProcess): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const leave = () => {
      child.off('message', hear);
      child.off('exit', die);
    };
    const hear = (answer: Answer<unknown>) => {
      leave();
      if ('fault' in answer) reject(new Error(answer.fault));
      else resolve('result' in answer ? answer.result : undefined);
    };
    const die = (code: number | null) => {
      leave();
      reject(new Error(`a working process ended with ${code}`));
    };
    child.on('message', hear);
    child.on('exit', die);
  });
}
