import { getUnitContents } from '@gatehouse/contract/unit-contents';
import type { Routes } from '#http/routes.ts';

export function unitContentsRoutes({ guarded }: Routes): void {
  guarded(getUnitContents, async ({ ctx, params }) => {
    const row = await ctx.db
      .selectFrom('unit_contents')
      .select('contents')
      .where('ledger_id', '=', params.ledgerId)
      .executeTakeFirst();
    return { contents: row?.contents ?? '' };
  });
}
