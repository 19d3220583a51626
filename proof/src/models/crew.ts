import { fork, type ChildProcess } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { NewDatabase } from '../harness/cluster.ts';
import type { Stage } from '../proof.ts';

/** One who works off tasks in a process of its own, on a database of its own. */
export type Hand<Task, Result> = { work(task: Task): Promise<Result>; close(): Promise<void> };

/** What a file in this folder offers to be worked by a crew. */
export type Trade<Task, Result> = { open(url: string): Promise<Hand<Task, Result>> };

/** Asked and answered over the channel between the processes. */
export type Answer<Result> = { ready: true } | { result: Result } | { fault: string };

type Options = { stage: Stage; trade: string; env?: NodeJS.ProcessEnv; hands?: number };

/** Has the tasks worked off by one process more than there are processors, because each waits for its database now and then. */
export async function inCrew<Result>(tasks: unknown[], { stage, trade, env, hands }: Options): Promise<Result[]> {
  const cluster = await stage.cluster();
  const results: Result[] = [];
  let next = 0;
  const count = Math.min(tasks.length, hands ?? availableParallelism() + 1);
  await Promise.all(
    Array.from({ length: count }, async () => {
      const database = await cluster.newDatabase();
      const hand = start(trade, database, env);
      try {
        await hand.answer;
        while (next < tasks.length) {
          const index = next++;
          results[index] = (await hand.ask(tasks[index])) as Result;
        }
      } finally {
        hand.end();
        await hand.gone;
        await database.close();
      }
    }),
  );
  return results;
}

function start(trade: string, { url }: NewDatabase, env: NodeJS.ProcessEnv = {}) {
  const file = fileURLToPath(new URL('hand.ts', import.meta.url));
  const child = fork(file, [trade, url], {
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
