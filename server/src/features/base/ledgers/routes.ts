import { listCharges } from '@gatehouse/contract/charges';
import { calendarDateIn } from '@gatehouse/contract/dates';
import { listLedgers } from '@gatehouse/contract/ledgers';
import type { Routes } from '#http/routes.ts';
import { notFound } from '#errors/refusal.ts';
import { findLedgers } from './ledgers.ts';
import { chargeView, ledgerView } from './view.ts';

export function ledgerRoutes({ guarded }: Routes): void {
  guarded(listLedgers, async ({ ctx, caller, params }) => {
    const today = calendarDateIn(caller.timeZone, ctx.clock.now());
    const rows = await findLedgers(ctx.db, params.tenantIds.split(','), today);
    return rows.map((row) => ledgerView(row, today));
  });

  guarded(listCharges, async ({ ctx, caller, params, query }) => {
    const today = calendarDateIn(caller.timeZone, ctx.clock.now());
    const ledgers = await findLedgers(ctx.db, [params.tenantId], today);
    const ledger = ledgers.find(({ id }) => id === query.ledgerId.toLowerCase());
    if (ledger === undefined) throw notFound();
    return ledger.charges.map(chargeView);
  });
}
