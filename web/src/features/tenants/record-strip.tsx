import type { Session } from '#session/session.ts';
import { useRecordTitles } from './use-record-titles.ts';

/** Names the tenant record in view on every screen, with the way to another. */
export default function RecordStrip({ session }: { session: Session }) {
  const record = useRecordTitles(session)?.find(({ id }) => id === session.currentTenantId);
  return (
    record && (
      <div className="flex h-11 items-center gap-3 text-15">
        <p className="min-w-0 truncate">
          <span className="text-muted max-sm:sr-only">Record in view: </span>
          <span className="font-medium">{record.title}</span>
        </p>
        <a href="/profile" className="link -mx-2 inline-flex min-h-11 shrink-0 items-center px-2">
          Change<span className="sr-only"> the record in view</span>
        </a>
      </div>
    )
  );
}
