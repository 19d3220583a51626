import { t } from '@gatehouse/language/t';

/** Units by their names: the end or the middle of a sentence. */
export function namesOfUnits(unitNames: string[]): string {
  const names = unitNames.join(', ');
  return unitNames.length === 1 ? t('unit {names}', { names }) : t('units {names}', { names });
}
