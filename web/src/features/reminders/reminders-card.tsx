import {
  type ReminderChoices,
  reminderKinds,
  type ReminderKind,
} from '@gatehouse/contract/reminders';
import { t } from '@gatehouse/language/t';
import { useState } from 'react';
import { useChangeRemindersMutation, useGetRemindersQuery } from '#api/reminders.ts';
import { useSubmit } from '#api/use-submit.ts';
import { Failure } from '#ui/alert.tsx';
import { CheckboxField } from '#ui/field.tsx';
import { Loadable } from '#ui/loadable.tsx';
import { OpenCard } from '#ui/open-card.tsx';
import { TextMessages } from './text-messages.tsx';

/**
 * Which reminders a tenant record gets, each kind switched at once, and whether they go by text
 * message.
 */
export function RemindersCard({ tenantId }: { tenantId: string }) {
  const load = useGetRemindersQuery(tenantId);
  const [said, say] = useState('');
  const onChanged = async (sentence: string) => {
    await load.refetch();
    say(sentence);
  };
  return (
    <OpenCard
      id="reminders"
      isWanting={load.error !== undefined}
      title={t('Reminders')}
      summary={load.data && stateOf(load.data)}
      description={
        load.data?.texts
          ? t('By email or text message, in the daytime, and only while there is something to pay.')
          : t('By email, in the daytime, and only while there is something to pay.')
      }
    >
      <p role="status" className="sr-only">
        {said}
      </p>
      <Loadable
        load={load}
        failure={t('Your reminders could not be loaded.')}
        skeleton="h-96 w-full"
      >
        {({ isOffered, stopped, texts }) =>
          isOffered ? (
            <div className="grid gap-2">
              {reminderKinds.map((kind) => (
                <Switch
                  key={kind}
                  tenantId={tenantId}
                  kind={kind}
                  onChanged={onChanged}
                  isOn={!stopped.includes(kind)}
                />
              ))}
              {texts && <TextMessages tenantId={tenantId} texts={texts} onChanged={onChanged} />}
            </div>
          ) : (
            <p>{t('Your facility sends no reminders.')}</p>
          )
        }
      </Loadable>
    </OpenCard>
  );
}

/** In a few words: whether reminders come, and how. */
function stateOf({ isOffered, stopped, texts }: ReminderChoices): string {
  if (!isOffered || stopped.length === reminderKinds.length) return t('Off');
  return texts?.state === 'on' ? t('By text message') : t('By email');
}

const fields: Record<ReminderKind, { label: string; hint: string }> = {
  rent_soon: {
    label: t('Before rent is due'),
    hint: t('5 days ahead, for units without autopay.'),
  },
  rent_today: {
    label: t('On the day rent is due'),
    hint: t('With a link to pay, for units without autopay.'),
  },
  gate_soon: {
    label: t('Before the gate closes'),
    hint: t('2 days before your gate code stops working for what is owed.'),
  },
};

type Props = {
  tenantId: string;
  kind: ReminderKind;
  isOn: boolean;
  onChanged: (sentence: string) => Promise<void>;
};

function Switch({ tenantId, kind, isOn, onChanged }: Props) {
  const [changeReminders] = useChangeRemindersMutation();
  // What was chosen, until it is saved or refused.
  const [chosen, setChosen] = useState<boolean | null>(null);
  const { submit, isBusy, error } = useSubmit<object>(async () => {
    setChosen(!isOn);
    try {
      await changeReminders({ tenantId, kind, isOn: !isOn }).unwrap();
      const { label } = fields[kind];
      await onChanged(
        isOn ? t('{label}: no reminders.', { label }) : t('{label}: you get reminders.', { label }),
      );
    } finally {
      setChosen(null);
    }
  });
  return (
    <div>
      <CheckboxField {...fields[kind]} checked={chosen ?? isOn} onChange={() => void submit({})} />
      {error !== null && (
        <div className="mt-2">
          <Failure isBusy={isBusy}>{error}</Failure>
        </div>
      )}
    </div>
  );
}
