import { getUnitContents, updateUnitContents } from '@gatehouse/contract/unit-contents';
import type { Routes } from '#http/routes.ts';
import { findContents, setContents } from './unit-contents.ts';

export function unitContentsRoutes({ guarded }: Routes): void {
  guarded(getUnitContents, async ({ ctx, caller, params }) => {
    const rows = await findContents(ctx.db, caller.tenantIds, params.ledgerId);
    return { contents: rows[0]?.contents ?? '' };
  });

  guarded(updateUnitContents, async ({ ctx, caller, params, body }) => ({
    contents: await setContents(ctx, caller, params.ledgerId, body.contents),
  }));
}
