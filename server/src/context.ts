import type { FastifyBaseLogger } from 'fastify';
import type { Clock } from '#adapters/clock.ts';
import type { FileStore } from '#adapters/files/files.ts';
import type { MailTransport } from '#adapters/mail/transport.ts';
import type { PaymentGateway } from '#adapters/payments/gateway.ts';
import type { Config } from '#config.ts';
import type { Database, DatabaseTransaction } from '#db/database.ts';
import type { Vault } from '#vault.ts';

/** Puts a job into the queue inside the transaction that makes it necessary (D7). */
export type Enqueue = (trx: DatabaseTransaction, job: Job) => Promise<void>;

/** The jobs there are, by name and what they are told; `afterSeconds` puts one off. */
export type Job = { afterSeconds?: number } & (
  | { name: 'resolve-payment'; data: { intentId: string } }
  | { name: 'send-mail'; data: { mailId: string } }
  | { name: 'sweep-file'; data: { key: string } }
);

/** Everything a handler may need, made once at the start; a test overrides the parts it is about. */
export type Context = {
  config: Config;
  db: Database;
  clock: Clock;
  /** Seals and opens what the tables hold sealed (D25). */
  vault: Vault;
  gateway: PaymentGateway;
  /** How long a charge may take before its outcome counts as unknown. */
  gatewayTimeoutMs: number;
  mail: MailTransport;
  /** The bytes of photos. */
  files: FileStore;
  enqueue: Enqueue;
  log: FastifyBaseLogger;
};
