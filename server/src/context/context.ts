import type { FastifyBaseLogger } from 'fastify';
import type { Clock } from '#adapters/clock.ts';
import type { EsignService } from '#adapters/esign/esign.ts';
import type { FileStore } from '#adapters/files/files.ts';
import type { GateController } from '#adapters/gate/controller.ts';
import type { MailTransport } from '#adapters/mail/transport.ts';
import type { PaymentGateway } from '#adapters/payments/gateway.ts';
import type { TextMessages } from '#adapters/text-messages/text-messages.ts';
import type { LeaseImporter } from '#context/lease-import.ts';
import type { Config } from '#config/config.ts';
import type { Database, DatabaseTransaction } from '#db/database.ts';
import type { Failpoint } from '#config/failpoints.ts';
import type { Metrics } from '#telemetry/metrics.ts';
import type { Pressure } from '#telemetry/pressure.ts';
import type { Vault } from '#crypto/vault.ts';

/** Enqueues a job in the transaction that causes it. */
export type Enqueue = (trx: DatabaseTransaction, job: Job) => Promise<void>;

/**
 * The jobs, by name and data. `afterSeconds` delays a job, and a higher `priority` is taken first.
 * `requestId` is the request that caused the job, for its log lines. In a queue with the policy
 * `exclusive` there is one job per `singletonKey` at a time; further ones are dropped. `group` is
 * whose jobs must not delay those of others, where the kind limits groups.
 */
export type Job = {
  afterSeconds?: number;
  singletonKey?: string;
  group?: string;
  priority?: number;
  requestId?: string;
} & (
  | { name: 'open-facility-days'; data: object }
  | { name: 'facility-day'; data: { facilityId: string; date: string } }
  | { name: 'handle-gateway-event'; data: { eventId: string } }
  | { name: 'reconcile-open-payments'; data: object }
  | { name: 'forget-old'; data: object }
  | { name: 'chain-audit'; data: object }
  | { name: 'check-books'; data: object }
  | { name: 'morning-mails'; data: object }
  | { name: 'remind'; data: object }
  | { name: 'reconcile-day'; data: object }
  | { name: 'reconcile-gates'; data: object }
  | { name: 'resend-envelopes'; data: { ledgerId: string; reference: string } }
  | { name: 'seal-document'; data: { documentId: string } }
  | { name: 'release-mails'; data: object }
  | { name: 'deliver-mail'; data: { mailId: string } }
  | { name: 'send-text'; data: { textId: string } }
  | { name: 'watch-access'; data: object }
  | { name: 'watch-declines'; data: object }
  | { name: 'import-leases'; data: { importId: string } }
  | { name: 'sweep-file'; data: { key: string } }
  | { name: 'deliver-event'; data: { eventId: string } }
);

/** The shared dependencies of handlers, created once at the start; tests override parts of it. */
export type Context = {
  config: Config;
  db: Database;
  clock: Clock;
  /** Encrypts and decrypts sealed columns. */
  vault: Vault;
  gateway: PaymentGateway;
  /** How long a charge may take before its outcome counts as unknown. */
  gatewayTimeoutMs: number;
  /** What else follows from the steps of a payment; `app/start.ts` names them. */
  paymentListeners: PaymentListener[];
  mail: MailTransport;
  /** Sends text messages; null where no provider is set up. */
  texts: TextMessages | null;
  /** The store of photos. */
  files: FileStore;
  /** The signing service. */
  esign: EsignService;
  /** Updates the gates; null if the operator has no gate controller. */
  gate: GateController | null;
  /** Runs imports of lease sheets. */
  importLeases: LeaseImporter;
  enqueue: Enqueue;
  /** Where kill tests end the process; does nothing unless the environment names the point. */
  failpoint: Failpoint;
  /**
   * Aborted when the process begins to stop: `/readyz` answers 503, and every answer closes its
   * connection.
   */
  stopping: AbortSignal;
  /** The load of the process. */
  pressure: () => Pressure;
  metrics: Metrics;
  log: FastifyBaseLogger;
};

/** A payment whose cardholder disputes it, and whom to mail about it. */
export type DisputedPayment = {
  /** The payment's intent. */
  id: string;
  tenantId: string;
  firstName: string;
  email: string;
  facilityName: string;
  facilityPhone: string | null;
};

/** An intent whose outcome is being written. */
export type ClosedPayment = {
  id: string;
  tenantId: string;
  autopayItemId: string | null;
  /** The saved method, and the card or account itself; null for what is not known. */
  methodId: string | null;
  fingerprint: string | null;
  expiresOn: string | null;
  state: 'succeeded' | 'pending' | 'declined' | 'never_sent';
  /** Whether it is a decline for good. */
  isHard: boolean;
};

/**
 * What else follows from the steps of a payment, for a feature above `features/money/payments`.
 * `Context.paymentListeners` names them, so that the payment core does not import them.
 */
export type PaymentListener = {
  /** In the transaction that writes the outcome of an intent. */
  closed(ctx: Context, trx: DatabaseTransaction, closed: ClosedPayment): Promise<void>;
  /** In the transaction that queues the mails about an intent whose outcome is known. */
  notifying(ctx: Context, trx: DatabaseTransaction, intentId: string): Promise<void>;
  /**
   * In the transaction that takes a bank payment back. `code` as the banks have it, such as R01.
   */
  returned(ctx: Context, trx: DatabaseTransaction, intentId: string, code: string): Promise<void>;
  /** In the transaction that takes a disputed card payment back. */
  disputed(ctx: Context, trx: DatabaseTransaction, payment: DisputedPayment): Promise<void>;
};

/**
 * The context of one request: its log lines and the jobs that it enqueues carry the request's id.
 */
export function ofRequest(ctx: Context, requestId: string, log: FastifyBaseLogger): Context {
  return { ...ctx, log, enqueue: (trx, job) => ctx.enqueue(trx, { requestId, ...job }) };
}
