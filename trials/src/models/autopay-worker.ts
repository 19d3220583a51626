import { randomBytes } from 'node:crypto';
import { clockOf } from '@gatehouse/server/src/adapters/clock.ts';
import { createSimulatorGateway } from '@gatehouse/server/src/adapters/payments/simulator-gateway.ts';
import { openDatabase } from '@gatehouse/server/src/db/database.ts';
import { runAutopay } from '@gatehouse/server/src/features/money/autopay/run.ts';
import { contextOn } from './world.ts';

/** Settings of a worker. `aheadMs`: how far its clock is ahead. */
export type AutopayOrder = {
  databaseUrl: string;
  simulatorUrl: string;
  facilityId: string;
  date: string;
  aheadMs: number;
};

/**
 * The server's context on a durable database, with the simulator as its gateway and its own clock.
 */
export function openWorkerContext({
  databaseUrl,
  simulatorUrl,
  aheadMs,
}: Omit<AutopayOrder, 'facilityId' | 'date'>) {
  const db = openDatabase(databaseUrl, () => {});
  const clock = clockOf({ clockShiftMs: aheadMs });
  return contextOn({ db, clock, gateway: createSimulatorGateway(simulatorUrl, randomBytes(32)) });
}

/** One worker of an autopay run in a child process: works until the run is done, or is killed. */
if (process.env.AUTOPAY_ORDER !== undefined) {
  const order = JSON.parse(process.env.AUTOPAY_ORDER) as AutopayOrder; // from autopay-with-kills.ts
  const ctx = openWorkerContext(order);
  await runAutopay(ctx, { facilityId: order.facilityId, date: order.date });
  await ctx.db.destroy();
}
