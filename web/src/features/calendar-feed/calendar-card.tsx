import { t } from '@gatehouse/language/t';
import {
  useCreateCalendarFeedMutation,
  useGetCalendarFeedQuery,
  useRemoveCalendarFeedMutation,
} from '#api/calendar-feed.ts';
import { useSubmit } from '#api/use-submit.ts';
import { Failure } from '#ui/alert.tsx';
import { Button, buttonClass } from '#ui/button.tsx';
import { CopyButton } from '#ui/copy-button.tsx';
import { TextField } from '#ui/field.tsx';
import { Loadable } from '#ui/loadable.tsx';
import { OpenCard } from '#ui/open-card.tsx';
import { useSaid } from '#ui/use-said.ts';

/**
 * The private calendar of a tenant record: made, opened in the calendar app of the device, removed.
 */
export function CalendarCard({ tenantId }: { tenantId: string }) {
  const load = useGetCalendarFeedQuery(tenantId);
  const { said, say, place } = useSaid<HTMLDivElement>('a, button');
  const onChanged = async (sentence: string) => {
    await load.refetch();
    say(sentence);
  };
  return (
    <OpenCard
      id="calendar"
      isWanting={load.error !== undefined}
      summary={load.data && (load.data.url === null ? t('Not created yet') : t('Created'))}
      title={t('Calendar')}
      description={t(
        'Due dates, autopay, rent changes and expiry dates in the calendar of your phone or computer.',
      )}
    >
      <p role="status" className="sr-only">
        {said}
      </p>
      <div ref={place}>
        <Loadable
          load={load}
          failure={t('Your calendar could not be loaded.')}
          skeleton="h-24 w-full"
        >
          {({ url }) =>
            url === null ? (
              <NoCalendar tenantId={tenantId} onChanged={onChanged} />
            ) : (
              <Calendar tenantId={tenantId} url={url} onChanged={onChanged} />
            )
          }
        </Loadable>
      </div>
    </OpenCard>
  );
}

type Props = { tenantId: string; onChanged: (sentence: string) => Promise<void> };

function NoCalendar({ tenantId, onChanged }: Props) {
  const [createCalendarFeed] = useCreateCalendarFeedMutation();
  const { submit, isBusy, error } = useSubmit<object>(async () => {
    await createCalendarFeed(tenantId).unwrap();
    await onChanged(t('Your calendar is ready.'));
  });
  return (
    <>
      <p>
        {t(
          'Your calendar gets a private address. Whoever has it can read what is due and when, but never your gate code.',
        )}
      </p>
      {error !== null && (
        <div className="mt-4">
          <Failure isBusy={isBusy}>{error}</Failure>
        </div>
      )}
      <div className="mt-6 flex flex-col sm:flex-row sm:justify-end">
        <Button variant="secondary" busy={isBusy} onClick={() => void submit({})}>
          {t('Create calendar')}
        </Button>
      </div>
    </>
  );
}

function Calendar({ tenantId, url, onChanged }: Props & { url: string }) {
  const [removeCalendarFeed] = useRemoveCalendarFeedMutation();
  const { submit, isBusy, error } = useSubmit<object>(async () => {
    await removeCalendarFeed(tenantId).unwrap();
    await onChanged(t('Your calendar is removed. Its address no longer works.'));
  });
  return (
    <>
      <TextField
        label={t('Calendar address')}
        hint={t(
          'Subscribe to it in your calendar app. If you change your password, it stops working.',
        )}
        value={url}
        readOnly
        onFocus={({ target }) => target.select()}
        end={<CopyButton text={url} label={t('Copy the calendar address')} />}
      />
      {error !== null && (
        <div className="mt-4">
          <Failure isBusy={isBusy}>{error}</Failure>
        </div>
      )}
      <div className="mt-6 flex flex-col gap-3 sm:flex-row-reverse">
        <a href={url.replace(/^https?:/, 'webcal:')} className={buttonClass('secondary')}>
          {t('Open in calendar app')}
        </a>
        <Button variant="quiet" busy={isBusy} onClick={() => void submit({})}>
          {t('Remove calendar')}
        </Button>
      </div>
    </>
  );
}
