import { doEach } from '#context/each.ts';
import { chainAuditEvents } from '#features/base/audit/chain.ts';
import { askForWholePush } from '#features/service/gate-controllers/push.ts';
import { handleLeftEvents } from '#features/money/gateway-events/gateway-events.ts';
import { releaseHeldMails } from '#features/desk/mail-sending/release.ts';
import { sendMorningMails } from '#features/desk/office/morning-mails.ts';
import { watchDeclines } from '#features/base/limits/declines.ts';
import { reconcileOpenIntents } from '#features/money/reconciliation/reconciliation.ts';
import { sendReminders } from '#features/rentals/reminders/send.ts';
import { watchAccess } from '#features/people/session/watch-access.ts';
import { once, type JobKind } from './job.ts';

/** Every minute: appends the waiting events of the audit trail to the chain (I9). */
export const chainAudit: JobKind<'chain-audit'> = {
  name: 'chain-audit',
  cron: '* * * * *',
  options: { ...once, expireInSeconds: 300 },
  run: (ctx) => chainAuditEvents(ctx),
};

/** Every minute: sends or merges the mails that were held until then. */
export const releaseMails: JobKind<'release-mails'> = {
  name: 'release-mails',
  cron: '* * * * *',
  options: { ...once, expireInSeconds: 300 },
  run: releaseHeldMails,
};

/** Every five minutes: queues the reminders of each facility whose day is done, in its daytime. */
export const remind: JobKind<'remind'> = {
  name: 'remind',
  cron: '*/5 * * * *',
  options: { ...once, expireInSeconds: 3600 },
  run: async (ctx) => {
    const done = await sendReminders(ctx);
    if (done > 0) ctx.log.info({ done }, 'reminders were queued');
  },
};

/** Every five minutes: queues the mails of each facility where it is past seven in the morning. */
export const morningMails: JobKind<'morning-mails'> = {
  name: 'morning-mails',
  cron: '*/5 * * * *',
  options: { ...once, expireInSeconds: 240 },
  run: async (ctx) => {
    const mails = await sendMorningMails(ctx);
    if (mails > 0) ctx.log.info({ mails }, 'morning mails were queued');
  },
};

/** Every five minutes: detects guessed passwords and probed ids while it happens. */
export const watchForProbing: JobKind<'watch-access'> = {
  name: 'watch-access',
  cron: '*/5 * * * *',
  options: { ...once, expireInSeconds: 60 },
  run: watchAccess,
};

/** Every five minutes: detects card testing while it happens. */
export const watchForDeclines: JobKind<'watch-declines'> = {
  name: 'watch-declines',
  cron: '*/5 * * * *',
  options: { ...once, expireInSeconds: 60 },
  run: watchDeclines,
};

/**
 * Hourly: handles the remaining events of the gateway, looks up payments that have been open for
 * too long, and records the run.
 */
export const reconcileOpenPayments: JobKind<'reconcile-open-payments'> = {
  name: 'reconcile-open-payments',
  cron: '7 * * * *',
  options: { ...once, expireInSeconds: 1800 },
  run: (ctx) =>
    doEach(
      [handleLeftEvents, reconcileOpenIntents],
      { atOnce: 1, what: 'works on open payments failed' },
      (work) => work(ctx),
    ),
};

/**
 * Nightly: marks every gate for a push of all its units, whose differences it reports. The sweep of
 * gates sends it.
 */
export const reconcileGates: JobKind<'reconcile-gates'> = {
  name: 'reconcile-gates',
  cron: '20 9 * * *',
  options: { ...once, retryLimit: 3, expireInSeconds: 60 },
  run: (ctx) => askForWholePush(ctx),
};
