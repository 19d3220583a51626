import { Counter, Histogram, Registry } from 'prom-client';

/** The metrics of the process for `/metrics`; docs/watching/metrics.md describes each. */
export type Metrics = ReturnType<typeof createMetrics>;

/** Everything that is counted where it happens, on a separate registry. */
export function createMetrics() {
  const registry = new Registry();
  const registers = [registry];
  const metrics = {
    registry,
    /** Captures by their immediate outcome. */
    payments: new Counter({
      name: 'gatehouse_payment_outcomes_total',
      help: 'Captures by what was known at once',
      labelNames: ['outcome'],
      registers,
    }),
    /** Time until the outcome of a payment was known, if it was not known at once. */
    confirmedSeconds: new Histogram({
      name: 'gatehouse_payment_confirmed_seconds',
      help: 'Time until a payment that was being confirmed was known',
      buckets: [1, 5, 15, 60, 300, 900, 3600, 86_400],
      registers,
    }),
    jobSeconds: new Histogram({
      name: 'gatehouse_job_seconds',
      help: 'Time that a batch of jobs took',
      labelNames: ['name', 'outcome'],
      buckets: [0.01, 0.1, 1, 10, 60, 600, 3600],
      registers,
    }),
    /** Batches that failed in this process, including those that will be retried. */
    failedJobs: new Counter({
      name: 'gatehouse_jobs_failed_total',
      help: 'Batches of jobs that failed, whether they are tried again or not',
      labelNames: ['name'],
      registers,
    }),
    mails: new Counter({
      name: 'gatehouse_mails_total',
      help: 'Mails by what the sender did with them',
      labelNames: ['outcome'],
      registers,
    }),
    mailSeconds: new Histogram({
      name: 'gatehouse_mail_seconds',
      help: 'Time from what made a mail necessary until it was handed over',
      labelNames: ['kind'],
      buckets: [1, 2, 5, 10, 30, 60, 120, 300, 900, 3600, 86_400],
      registers,
    }),
    texts: new Counter({
      name: 'gatehouse_texts_total',
      help: 'Text messages by what became of them',
      labelNames: ['outcome'],
      registers,
    }),
    gatePushes: new Counter({
      name: 'gatehouse_gate_pushes_total',
      help: 'Messages to gate controllers by what became of them',
      labelNames: ['outcome'],
      registers,
    }),
  };
  // Start at 0, because Prometheus sees no increase in the first sample of a series.
  for (const outcome of ['posted', 'declined', 'not_sent', 'unknown'])
    metrics.payments.inc({ outcome }, 0);
  for (const outcome of ['sent', 'held', 'merged', 'dropped', 'undeliverable'])
    metrics.mails.inc({ outcome }, 0);
  for (const outcome of ['sent', 'delivered', 'refused', 'unknown', 'dropped'])
    metrics.texts.inc({ outcome }, 0);
  for (const outcome of ['sent', 'failed']) metrics.gatePushes.inc({ outcome }, 0);
  for (const kind of ['code', 'other']) metrics.mailSeconds.zero({ kind });
  return metrics;
}
