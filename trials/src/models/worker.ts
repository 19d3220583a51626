import type { Answer, WorkerModule } from './worker-pool.ts';

/** A process of a worker pool: `node worker.ts <file of the module> <address of its database>`. */
const [, , module = '', url = ''] = process.argv;

const send = (answer: Answer<unknown>) => process.send?.(answer);
const fault = (error: unknown) =>
  send({ fault: error instanceof Error ? (error.stack ?? error.message) : String(error) });

try {
  const chosen = (await import(`./${module}`)) as WorkerModule<unknown, unknown>; // as the pool says
  const worker = await chosen.open(url);
  process.on('message', ({ task }: { task: unknown }) => {
    worker.work(task).then((result) => send({ result }), fault);
  });
  process.once('disconnect', () => {
    void worker.close().finally(() => process.exit());
  });
  send({ ready: true });
} catch (error) {
  fault(error);
}
