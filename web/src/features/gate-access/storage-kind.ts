import type { Ledger } from '@gatehouse/contract/ledgers';
import type { ContentsType } from '@gatehouse/contract/unit-contents';

export type StorageKind = 'rv' | 'boat' | 'vehicle' | 'household';

/**
 * What a rental stores, for its drawing: by its contents where the tenant entered them, else by the
 * type of its unit.
 */
export function storageKind(
  { unit, vehicle }: Pick<Ledger, 'unit' | 'vehicle'>,
  contents: ContentsType | undefined,
): StorageKind {
  if (contents === 'boat') return 'boat';
  if (contents === 'none') return 'household';
  const words = `${unit.typeName} ${vehicle?.description ?? ''}`;
  if (contents === undefined && /boat|embarc|marine|water/i.test(words)) return 'boat';
  if (/\brv\b|motor ?home|trailer|camper|winnebago/i.test(words)) return 'rv';
  if (contents === 'vehicle' || /veh[ií]c|car|parking/i.test(words)) return 'vehicle';
  return 'household';
}
