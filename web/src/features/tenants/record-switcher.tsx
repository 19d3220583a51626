import { useEffect, useRef } from 'react';
import { chooseTenant, type Session } from '#session/session.ts';
import { Icon } from '#ui/icons.tsx';
import { useRecordTitles } from './use-record-titles.ts';

/** Names the tenant records of the sign-in, on every screen; a press puts another in view there. */
export default function RecordSwitcher({ session }: { session: Session }) {
  const records = useRecordTitles(session);
  const present = useRef<HTMLButtonElement>(null);
  const { currentTenantId } = session;
  const isLoaded = records !== undefined;
  // The address of a mail names the record that it is about, which is chosen once.
  useEffect(() => {
    const { pathname, search, hash } = location;
    const asked = new URLSearchParams(search).get('record');
    if (asked === null) return;
    history.replaceState(history.state, '', pathname + hash);
    chooseTenant(asked);
  }, []);
  // Of many that do not fit, the one in view is in sight.
  useEffect(() => {
    present.current?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [currentTenantId, isLoaded]);
  return (
    records && (
      <ul className="-mx-3 flex gap-1 @max-[15rem]:flex-wrap @min-[15rem]:overflow-x-auto">
        {records.map(({ id, title }) => {
          const isPresent = id === currentTenantId;
          return (
            <li key={id} className="@min-[15rem]:shrink-0">
              <button
                ref={isPresent ? present : undefined}
                type="button"
                aria-pressed={isPresent}
                onClick={() => chooseTenant(id)}
                className={`inline-flex min-h-11 items-center gap-1.5 rounded-control px-3 text-left -outline-offset-2 text-15 font-medium ${isPresent ? 'text-brand' : 'text-muted hover:text-text'}`}
              >
                {isPresent && <Icon name="check" className="size-4.5" />}
                <span>{title}</span>
              </button>
            </li>
          );
        })}
      </ul>
    )
  );
}
