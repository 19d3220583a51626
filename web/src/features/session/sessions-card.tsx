import { calendarDateIn, formatDate, formatTimeIn } from '@gatehouse/contract/dates';
import { KEPT_DAYS, type SessionRow } from '@gatehouse/contract/sessions';
import { t } from '@gatehouse/language/t';
import { useEndSessionMutation, useListSessionsQuery } from '#api/passkeys.ts';
import { useSubmit } from '#api/use-submit.ts';
import { Failure } from '#ui/alert.tsx';
import { Button } from '#ui/button.tsx';
import { Loadable } from '#ui/loadable.tsx';
import { OpenCard } from '#ui/open-card.tsx';
import { useSaid } from '#ui/use-said.ts';

/** Where the sign-in is signed in; the others can be signed out. */
export function SessionsCard() {
  const load = useListSessionsQuery('all', { isAskedAfresh: true });
  const { said, say, place } = useSaid<HTMLUListElement>();
  return (
    <OpenCard
      id="sessions"
      isWanting={load.error !== undefined}
      summary={
        load.data &&
        (load.data.length === 1
          ? t('This browser only')
          : t('{n, plural, one {# browser} other {# browsers}}', { n: load.data.length }))
      }
      title={t('Where you are signed in')}
      description={t('If you do not recognize a browser, sign it out and set a new password.')}
    >
      <p role="status" className="sr-only">
        {said}
      </p>
      <Loadable
        load={load}
        failure={t('Your sessions could not be loaded.')}
        skeleton="h-12 w-full"
      >
        {(sessions) => (
          <ul
            ref={place}
            tabIndex={-1}
            aria-label={t('Sessions')}
            className="-my-3 divide-y divide-line"
          >
            {sessions.map((session) => (
              <Row
                key={session.id}
                session={session}
                onEnded={async () => {
                  await load.refetch();
                  say(t('{name} is signed out.', { name: nameOf(session) }));
                }}
              />
            ))}
          </ul>
        )}
      </Loadable>
    </OpenCard>
  );
}

function Row({ session, onEnded }: { session: SessionRow; onEnded: () => Promise<void> }) {
  const { id, browser, facilityName, createdAt, isCurrent, keptUntil } = session;
  const [endSession] = useEndSessionMutation();
  const { submit, isBusy, error } = useSubmit<object>(async () => {
    await endSession(id).unwrap();
    await onEnded();
  });
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 py-3">
      <div className="min-w-0 flex-1 basis-56">
        <h3 className="font-medium wrap-anywhere">{nameOf(session)}</h3>
        <p className="text-15 text-muted tabular-nums">
          {[
            isCurrent && browser !== null && t('This browser'),
            facilityName,
            t('Since {moment}', { moment: momentOf(createdAt) }),
            keptUntil !== null &&
              t('Kept for {days} days, until {moment}', {
                days: KEPT_DAYS,
                moment: momentOf(keptUntil),
              }),
          ]
            .filter(Boolean)
            .join('\u00a0·\u00a0')}
        </p>
      </div>
      {!isCurrent && (
        <Button variant="quiet" className="-mx-3" busy={isBusy} onClick={() => void submit({})}>
          <span>
            {t('Sign out')}
            <span className="sr-only"> {nameOf(session)}</span>
          </span>
        </Button>
      )}
      {error !== null && (
        <div className="basis-full">
          <Failure isBusy={isBusy}>{error}</Failure>
        </div>
      )}
    </li>
  );
}

function nameOf({ browser, isCurrent }: SessionRow): string {
  return browser ?? (isCurrent ? t('This browser') : t('A browser'));
}

/** On this device's clock. */
function momentOf(instant: string): string {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  const at = new Date(instant);
  return `${formatDate(calendarDateIn(timeZone, at))}, ${formatTimeIn(timeZone, at)}`;
}
