import type { FastifyBaseLogger } from 'fastify';
import type { Clock } from '#adapters/clock.ts';
import type { EsignService } from '#adapters/esign/esign.ts';
import type { FileStore } from '#adapters/files/files.ts';
import type { GateController } from '#adapters/gate/controller.ts';
import type { MailTransport } from '#adapters/mail/transport.ts';
import type { PaymentGateway } from '#adapters/payments/gateway.ts';
import type { Config } from '#config.ts';
import type { Database, DatabaseTransaction } from '#db/database.ts';
import type { Standby } from '#db/standby.ts';
import type { Failpoint } from '#failpoints.ts';
import type { Metrics } from '#metrics.ts';
import type { Pressure } from '#pressure.ts';
import type { Vault } from '#vault.ts';

/** Puts a job into the queue inside the transaction that makes it necessary (D7). */
export type Enqueue = (trx: DatabaseTransaction, job: Job) => Promise<void>;

/**
 * The jobs there are, by name and what they are told; `afterSeconds` puts one off, and those of a higher `priority` are taken
 * first; `requestId` is the request that made it necessary, which its lines in the log then carry. Of a queue whose policy is `exclusive` one job of a `singletonKey` is there at a time: another one is left out.
 */
export type Job = { afterSeconds?: number; singletonKey?: string; priority?: number; requestId?: string } & (
  | { name: 'open-facility-days'; data: object }
  | { name: 'facility-day'; data: { facilityId: string; date: string } }
  | { name: 'handle-gateway-event'; data: { eventId: string } }
  | { name: 'reconcile-open-payments'; data: object }
  | { name: 'forget-old'; data: object }
  | { name: 'chain-audit'; data: object }
  | { name: 'check-books'; data: object }
  | { name: 'reconcile-day'; data: object }
  | { name: 'reconcile-gates'; data: object }
  | { name: 'resend-envelopes'; data: { ledgerId: string; reference: string } }
  | { name: 'send-mail'; data: { mailId: string } }
  | { name: 'watch-declines'; data: object }
  | { name: 'sweep-file'; data: { key: string } }
  | { name: 'deliver-event'; data: { eventId: string } }
);

/** Everything a handler may need, made once at the start; a test overrides the parts it is about. */
export type Context = {
  config: Config;
  db: Database;
  /** Where answers come from that may be a second old; without one from `db`. */
  standby?: Standby | undefined;
  clock: Clock;
  /** Seals and opens what the tables hold sealed (D25). */
  vault: Vault;
  gateway: PaymentGateway;
  /** How long a charge may take before its outcome counts as unknown. */
  gatewayTimeoutMs: number;
  mail: MailTransport;
  /** The bytes of photos. */
  files: FileStore;
  /** Has tenants sign documents. */
  esign: EsignService;
  /** Tells the gates who may come in; null where the operator has none that can be told. */
  gate: GateController | null;
  enqueue: Enqueue;
  /** Where kill tests end the process; does nothing unless the environment names the point. */
  failpoint: Failpoint;
  /** Aborted once the process is told to stop: `/readyz` says so, and what is answered closes its connection (D33). */
  stopping: AbortSignal;
  /** How hard-pressed the process is. */
  pressure: () => Pressure;
  metrics: Metrics;
  log: FastifyBaseLogger;
};

/** The same for the work of one request: its lines in the log and the jobs that it makes carry the request's id. */
export function ofRequest(ctx: Context, requestId: string, log: FastifyBaseLogger): Context {
  return { ...ctx, log, enqueue: (trx, job) => ctx.enqueue(trx, { requestId, ...job }) };
}
