import type { FastifyBaseLogger } from 'fastify';
import type { Clock } from '#adapters/clock.ts';
import type { PaymentGateway } from '#adapters/payments/gateway.ts';
import type { Config } from '#config.ts';
import type { Database, DatabaseTransaction } from '#db/database.ts';

/** Puts a job into the queue inside the transaction that makes it necessary (D7). */
export type Enqueue = (trx: DatabaseTransaction, job: Job) => Promise<void>;

/** The jobs there are. */
export type Job = { name: 'resolve-payment'; data: { intentId: string }; afterSeconds: number };

/** Everything a handler may need, made once at the start; a test overrides the parts it is about. */
export type Context = {
  config: Config;
  db: Database;
  clock: Clock;
  gateway: PaymentGateway;
  /** How long a charge may take before its outcome counts as unknown. */
  gatewayTimeoutMs: number;
  enqueue: Enqueue;
  log: FastifyBaseLogger;
};
