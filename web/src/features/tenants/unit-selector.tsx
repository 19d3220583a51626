import { t } from '@gatehouse/language/t';
import { chooseTenant, type Session } from '#session/session.ts';
import { Alert } from '#ui/alert.tsx';
import { SelectField } from '#ui/field.tsx';
import { Skeleton } from '#ui/skeleton.tsx';
import { useRecordNames } from './use-record-names.ts';

/**
 * Chooses among several tenant records by the names of their units; all screens then show the
 * chosen one.
 */
export function UnitSelector({ session }: { session: Session }) {
  const { names, error } = useRecordNames(session.tenants.map(({ id }) => id));
  if (error !== undefined)
    return <Alert tone="bad">{t('Error loading unit names. Please refresh the page.')}</Alert>;
  if (names === undefined) return <Skeleton className="h-19 sm:max-w-80" />;
  return (
    <div className="sm:max-w-80">
      <SelectField
        label={t('Unit')}
        options={names.map(({ id, name }) => ({ value: id, label: name }))}
        value={session.currentTenantId}
        onChange={({ target }) => chooseTenant(target.value)}
      />
    </div>
  );
}
