import { t } from '@gatehouse/language/t';
import { chooseTenant, type Session } from '#session/session.ts';
import { Icon } from '#ui/icons.tsx';
import { useRecordTitles } from './use-record-titles.ts';

/**
 * Names the tenant record in view on every screen. My Units says which others there are, each a way
 * to it; on the other screens one link leads to them.
 */
export default function RecordStrip({
  session,
  hasOthers,
}: {
  session: Session;
  hasOthers: boolean;
}) {
  const records = useRecordTitles(session);
  const record = records?.find(({ id }) => id === session.currentTenantId);
  return (
    record && (
      <div
        className={`-mb-px flex min-h-11 items-center gap-x-3 text-15 @max-[15rem]:flex-wrap ${hasOthers ? 'max-sm:relative max-sm:items-end' : ''}`}
      >
        <p
          className={`min-w-0 @min-[15rem]:truncate ${hasOthers ? '@max-[15rem]:w-full @min-[15rem]:max-sm:absolute @min-[15rem]:max-sm:inset-x-0 @min-[15rem]:max-sm:top-0.5 max-sm:leading-tight' : ''}`}
        >
          <span className="text-muted max-sm:sr-only">{`${t('Record in view')}: `}</span>
          <span className="font-medium">{record.title}</span>
        </p>
        {hasOthers ? (
          <>
            <p className="shrink-0 text-muted max-sm:leading-tight max-sm:mb-0.5 sm:ml-auto">
              {t('Also yours:')}
            </p>
            <ul className="flex min-w-0 gap-x-3 @max-[15rem]:flex-col @min-[15rem]:overflow-x-auto">
              {records?.map(
                ({ id, title }) =>
                  id !== record.id && (
                    <li key={id} className="@min-[15rem]:shrink-0">
                      <button
                        type="button"
                        onClick={() => chooseTenant(id)}
                        className="flex min-h-11 items-center gap-1 text-left font-semibold text-brand max-sm:items-end max-sm:pb-0.5 max-sm:leading-tight"
                      >
                        <span>{title}</span>
                        <Icon name="chevron-right" className="size-4.5" />
                      </button>
                    </li>
                  ),
              )}
            </ul>
          </>
        ) : (
          <a href="/profile" className="link -mx-2 inline-flex min-h-11 shrink-0 items-center px-2">
            {t('Change')}
            <span className="sr-only"> {t('the record in view')}</span>
          </a>
        )}
      </div>
    )
  );
}
