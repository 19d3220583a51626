import { getUnitContents, updateUnitContents } from '@gatehouse/contract/unit-contents';
import type { Routes } from '#http/routes.ts';
import { setContents } from './unit-contents.ts';

export function unitContentsRoutes({ guarded }: Routes): void {
  guarded(getUnitContents, async ({ ctx, caller, params }) => {
    const row = await ctx.db
      .selectFrom('unit_contents')
      .innerJoin('ledgers', 'ledgers.id', 'unit_contents.ledger_id')
      .select('contents')
      .where('ledgers.id', '=', params.ledgerId)
      .where('ledgers.tenant_id', 'in', caller.tenantIds)
      .executeTakeFirst();
    return { contents: row?.contents ?? '' };
  });

  guarded(updateUnitContents, async ({ ctx, caller, params, body }) => ({
    contents: await setContents(ctx, caller, params.ledgerId, body.contents),
  }));
}
