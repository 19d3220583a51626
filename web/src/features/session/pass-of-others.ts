import { uuid } from '@gatehouse/contract/guards';
import { forgetPass, PASS_PLACE } from '#session/kept-pass.ts';
import { inStore, resultOf } from '#session/proof.ts';

/** Deletes the kept gate passes where one is of another account: a phone may have two users. */
export async function forgetPassOfOthers(tenants: { id: string }[]): Promise<void> {
  const keys = await inStore((store) => resultOf(store.getAllKeys()), undefined, PASS_PLACE).catch(
    () => [],
  );
  if (keys.some((key) => uuid(key) && !tenants.some(({ id }) => id === key))) forgetPass();
}
