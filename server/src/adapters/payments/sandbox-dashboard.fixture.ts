import { randomUUID } from 'node:crypto';
import type { Database } from '#db/database.ts';
import { testClock } from '#test/test-day.ts';
import type { Dashboard } from './gateway.contract.ts';
import { addRows, changeRows } from '#test/rows.ts';

/**
 * Actions in the sandbox gateway's dashboard: refunds and disputes. `owner` is the owner's
 * connection, since the server's role may not write them; `at` is when they were made.
 */
export function openSandboxDashboard(
  owner: Database,
  at: () => Date = () => testClock.now(),
): Dashboard {
  return {
    async refund(chargeReference, cents) {
      const reference = randomUUID();
      await addRows(owner, 'sandbox_gateway.refunds', {
        reference,
        charge_reference: chargeReference,
        amount_cents: cents,
        created_at: at(),
        is_outside: true,
      });
      return `sandbox_re_${reference}`;
    },
    async failRefund(id) {
      await changeRows(
        owner,
        'sandbox_gateway.refunds',
        { outcome: 'failed' },
        { reference: id.replace('sandbox_re_', '') },
      );
    },
    async dispute(chargeReference, cents, { isInquiry = false } = {}) {
      const id = `sandbox_dp_${randomUUID()}`;
      const opened = at();
      await addRows(owner, 'sandbox_gateway.disputes', {
        id,
        charge_reference: chargeReference,
        amount_cents: cents,
        standing: isInquiry ? 'inquiry' : 'opened',
        evidence_due_at: new Date(opened.getTime() + 14 * 86_400_000),
        created_at: opened,
      });
      return id;
    },
    async decide(id, standing) {
      await changeRows(owner, 'sandbox_gateway.disputes', { standing }, { id });
    },
  };
}
