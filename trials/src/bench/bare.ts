import { openDatabase } from '@gatehouse/server/src/db/database.ts';
import { fastify } from 'fastify';
import pg from 'pg';
import { listLedgers } from '@gatehouse/contract/ledgers';
import { makePayment } from '@gatehouse/contract/payments';
import { inputsOf } from './calls.ts';
import { deriveReplay, type Recording, type Replay } from './replay.ts';

/** What the bare server needs to start; it answers with `{ port }`. */
export type BareOrder = {
  url: string;
  read: [Recording, Recording];
  payment: [Recording, Recording];
};

process.once('message', (order: BareOrder) => {
  void serve(order).then((port) => process.send!({ port }));
});
process.once('disconnect', () => process.exit(0));

/** The baseline: Fastify and pg and nothing else, with the statements that the real routes send. */
async function serve({ url, read, payment }: BareOrder): Promise<number> {
  const pool = serversPool(url);
  const app = fastify();
  const replays: Record<'read' | 'payment', Replay> = {
    read: deriveReplay(read),
    payment: deriveReplay(payment),
  };

  app.get(`/api${listLedgers.path}`, ({ params, headers }) =>
    replays.read(pool, inputsOf((params as { tenantIds: string }).tenantIds, headers)),
  );
  app.post(`/api${makePayment.path}`, ({ params, headers, body }) => {
    const { tenantId } = params as { tenantId: string };
    return replays.payment(
      pool,
      inputsOf(tenantId, headers, body as Parameters<typeof inputsOf>[2]),
    );
  });
  app.get('/metrics', () => {
    const { user, system } = process.cpuUsage();
    return `process_cpu_seconds_total ${(user + system) / 1e6}\n`;
  });

  await app.listen({ port: 0, host: '127.0.0.1' });
  return (app.server.address() as { port: number }).port;
}

/**
 * The pool that the server itself opens: the same size, role, settings and types without a copy of
 * any of them.
 */
function serversPool(url: string): pg.Pool {
  const { Pool } = pg;
  const opened: pg.Pool[] = [];
  pg.Pool = class extends Pool {
    constructor(options?: pg.PoolConfig) {
      super(options);
      opened.push(this);
    }
  };
  openDatabase(url, (error) => console.error(error));
  pg.Pool = Pool;
  return opened[0]!;
}
