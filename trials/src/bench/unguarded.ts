import type { AddressInfo } from 'node:net';
import { calendarDateIn } from '@gatehouse/contract/dates';
import { listLedgers } from '@gatehouse/contract/ledgers';
import { API_BASE, buildApp } from '@gatehouse/server/src/app/app.ts';
import { readConfig } from '@gatehouse/server/src/config/config.ts';
import { findLedgers } from '@gatehouse/server/src/features/ledgers/ledgers.ts';
import { ledgerView } from '@gatehouse/server/src/features/ledgers/view.ts';
import { routesOf } from '@gatehouse/server/src/http/routes.ts';
import { openContext } from '@gatehouse/server/src/app/start.ts';
import { pino } from 'pino';
import { UNGUARDED } from './calls.ts';

/** What the server without guard needs to start; it answers with `{ port }`. */
export type UnguardedOrder = { url: string; dataDir: string };

process.once('message', (order: UnguardedOrder) => {
  void serve(order).then((port) => process.send!({ port }));
});
process.once('disconnect', () => process.exit(0));

/**
 * The server's app with a second signed-in read, without guard and over every row: the difference
 * is the cost of guard and row-level security.
 */
async function serve({ url, dataDir }: UnguardedOrder): Promise<number> {
  const config = readConfig({
    ...process.env,
    DATABASE_URL: url,
    DATA_DIR: dataDir,
    HOST: '127.0.0.1',
  });
  const log = pino({ level: config.logLevel }, pino.destination('/dev/null'));
  const { ctx, queue } = await openContext(config, url, log, [], new AbortController().signal);
  await queue.work(ctx);
  const app = await buildApp(ctx);
  await app.register(
    (api, _options, done) => {
      routesOf(api, ctx).open(
        { ...listLedgers, name: 'unguardedLedgers', access: 'public' },
        async (call) => {
          const today = calendarDateIn('America/Chicago', ctx.clock.now());
          const rows = await findLedgers(
            ctx.db,
            call.params.tenantIds.toLowerCase().split(','),
            today,
          );
          return rows.map((row) => ledgerView(row, today));
        },
      );
      done();
    },
    { prefix: UNGUARDED + API_BASE },
  );
  app.get('/metrics', { schema: { hide: true } }, () => {
    const { user, system } = process.cpuUsage();
    return `process_cpu_seconds_total ${(user + system) / 1e6}\n`;
  });
  await app.listen({ port: 0, host: '127.0.0.1' });
  return (app.server.address() as AddressInfo).port;
}
