import { calendarDateIn, formatDate } from '@gatehouse/contract/dates';
import type { Passkey } from '@gatehouse/contract/passkeys';
import { t } from '@gatehouse/language/t';
import { useListPasskeysQuery } from '#api/passkeys.ts';
import { FormDialogButton } from '#ui/lazy-dialog.tsx';
import { lazyPart } from '#ui/lazy-part.tsx';
import { Loadable } from '#ui/loadable.tsx';
import { OpenCard } from '#ui/open-card.tsx';
import { useSaid } from '#ui/use-said.ts';

const addForm = lazyPart(() => import('./add-passkey-form.tsx'));
const renameForm = lazyPart(() => import('./rename-passkey-form.tsx'));
const removeForm = lazyPart(() => import('./remove-passkey-form.tsx'));

/** The passkeys of the sign-in: added on this device, renamed, removed. */
export function PasskeysCard() {
  const load = useListPasskeysQuery('all', { isAskedAfresh: true });
  const { said, say, place } = useSaid<HTMLDivElement>();
  return (
    <OpenCard
      id="passkeys"
      isWanting={load.error !== undefined}
      title={t('Sign-in and passkeys')}
      summary={
        load.data &&
        (load.data.length === 0
          ? t('No passkey yet')
          : t('{n, plural, one {# passkey} other {# passkeys}}', { n: load.data.length }))
      }
      description={t(
        'Sign in with your finger, your face or your screen lock, without a password. You can stay signed in on a phone for 30 days that way: the portal then asks for the passkey again before you pay, change contacts or see a gate code that is new there. It does not protect you from whoever holds the unlocked phone.',
      )}
      actions={
        <FormDialogButton
          label={t('Add a passkey')}
          about={t('to your account')}
          variant="secondary"
          title={t('Add a passkey')}
          description={t(
            'It is made on this device and can sign in to your account from then on. Do not add one on a device that you share.',
          )}
          form={addForm}
          formProps={{ onAdded: () => void load.refetch() }}
        />
      }
    >
      <p role="status" className="sr-only">
        {said}
      </p>
      <div ref={place} tabIndex={-1} role="group" aria-label={t('Your passkeys')}>
        <Loadable
          load={load}
          failure={t('Your passkeys could not be loaded.')}
          skeleton="h-6 w-full"
        >
          {(passkeys) =>
            passkeys.length === 0 ? (
              <p className="text-muted">{t('You have no passkey yet.')}</p>
            ) : (
              <ul className="-my-3 divide-y divide-line">
                {passkeys.map((passkey) => (
                  <Row
                    key={passkey.id}
                    passkey={passkey}
                    onChanged={load.refetch}
                    onRemoved={async () => {
                      await load.refetch();
                      say(t('The passkey “{name}” is removed.', { name: passkey.name }));
                    }}
                  />
                ))}
              </ul>
            )
          }
        </Loadable>
      </div>
    </OpenCard>
  );
}

type RowProps = {
  passkey: Passkey;
  onChanged: () => unknown;
  onRemoved: () => Promise<void>;
};

function Row({ passkey, onChanged, onRemoved }: RowProps) {
  const { name, createdAt, lastUsedAt, isSynced } = passkey;
  const about = t('the passkey “{name}”', { name });
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 py-3">
      <div className="min-w-0 flex-1 basis-56">
        <h3 className="font-medium wrap-anywhere">{name}</h3>
        <p className="text-15 text-muted tabular-nums">
          {[
            t('Added {day}', { day: dateOf(createdAt) }),
            lastUsedAt !== null && t('Last used {day}', { day: dateOf(lastUsedAt) }),
            isSynced && t('On all your devices'),
          ]
            .filter(Boolean)
            .join('\u00a0·\u00a0')}
        </p>
      </div>
      <div className="-mx-3 flex">
        <FormDialogButton
          label={t('Rename')}
          about={about}
          title={t('Rename passkey')}
          form={renameForm}
          formProps={{ passkey, onRenamed: () => void onChanged() }}
        />
        <FormDialogButton
          label={t('Remove')}
          about={about}
          title={t('Remove passkey')}
          form={removeForm}
          formProps={{ passkey, onRemoved: () => void onRemoved() }}
        />
      </div>
    </li>
  );
}

/** On this device's calendar. */
function dateOf(instant: string): string {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  return formatDate(calendarDateIn(timeZone, new Date(instant)));
}
