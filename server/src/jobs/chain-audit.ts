import { chainAuditEvents } from '#features/audit/chain.ts';
import type { JobKind } from './job.ts';

/** Every minute: appends the waiting events of the audit trail to the chain (I9). */
export const chainAudit: JobKind<'chain-audit'> = {
  name: 'chain-audit',
  cron: '* * * * *',
  options: { policy: 'exclusive', retryLimit: 0, expireInSeconds: 300, batchSize: 1 },
  run: (ctx) => chainAuditEvents(ctx),
};
