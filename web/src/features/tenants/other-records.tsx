import { chooseTenant, type Session } from '#session/session.ts';
import { Icon } from '#ui/icons.tsx';
import { useRecordTitles } from './use-record-titles.ts';

/** The tenant's other records, each a way to see it. */
export default function OtherRecords({ session }: { session: Session }) {
  const records = useRecordTitles(session)?.filter(({ id }) => id !== session.currentTenantId);
  if (records === undefined) return null;
  return (
    <div className="flex flex-wrap items-center gap-x-3 print:hidden">
      <p className="text-muted">Also yours:</p>
      <ul className="flex flex-wrap gap-x-4">
        {records.map(({ id, title }) => (
          <li key={id}>
            <button
              type="button"
              onClick={() => chooseTenant(id)}
              className="-mx-2 flex min-h-11 items-center gap-1 rounded-control px-2 text-left font-semibold text-brand hover:bg-brand-soft"
            >
              <span className="min-w-0 wrap-anywhere">{title}</span>
              <Icon name="chevron-right" />
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}
