import type { Answer, Trade } from './crew.ts';

/** A working process of a crew: `node hand.ts <file of the trade> <address of its database>`. */
const [, , trade = '', url = ''] = process.argv;

const tell = (answer: Answer<unknown>) => process.send?.(answer);
const fault = (error: unknown) =>
  tell({ fault: error instanceof Error ? (error.stack ?? error.message) : String(error) });

try {
  const chosen = (await import(`./${trade}`)) as Trade<unknown, unknown>; // what the crew was told to run
  const hand = await chosen.open(url);
  process.on('message', ({ task }: { task: unknown }) => {
    hand.work(task).then((result) => tell({ result }), fault);
  });
  process.once('disconnect', () => {
    void hand.close().finally(() => process.exit());
  });
  tell({ ready: true });
} catch (error) {
  fault(error);
}
