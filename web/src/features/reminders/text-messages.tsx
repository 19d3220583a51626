import { formatPhone } from '@gatehouse/contract/phone';
import type { TextMessages as Texts } from '@gatehouse/contract/text-messages';
import { t } from '@gatehouse/language/t';
import { useRef, useState } from 'react';
import {
  useConfirmTextsMutation,
  useRequestTextsMutation,
  useStopTextsMutation,
} from '#api/reminders.ts';
import { useSubmit } from '#api/use-submit.ts';
import { Failure } from '#ui/alert.tsx';
import { Button } from '#ui/button.tsx';
import { CheckboxField, TextField } from '#ui/field.tsx';

type Props = {
  tenantId: string;
  texts: Texts;
  onChanged: (sentence: string) => Promise<void>;
};

/** Whether reminders go by text message: agreed to, confirmed by a code, switched off again. */
export function TextMessages({ onChanged, ...given }: Props) {
  const { phone, state } = given.texts;
  const heading = useRef<HTMLHeadingElement>(null);
  const props = {
    ...given,
    // The button that was pressed goes away with what it was for.
    onChanged: async (sentence: string) => {
      await onChanged(sentence);
      heading.current?.focus();
    },
  };
  return (
    <div role="group" aria-labelledby="text-messages" className="mt-4 border-t border-line pt-4">
      <h3 id="text-messages" ref={heading} tabIndex={-1} className="font-semibold">
        {t('Text messages')}
      </h3>
      {phone === null ? (
        <p className="mt-2">
          {t('There is no phone number on file that gets text messages. Add one under Profile.')}
        </p>
      ) : state === 'stopped' ? (
        <p className="mt-2">
          {t(
            'STOP was texted from {phone}, so reminders go by email. To get them by text again, text START to the number that they came from.',
            { phone: formatPhone(phone) },
          )}
        </p>
      ) : state === 'on' ? (
        <On {...props} phone={phone} />
      ) : state === 'code' ? (
        <Confirm {...props} phone={phone} />
      ) : (
        <Agree {...props} phone={phone} />
      )}
    </div>
  );
}

type OfPhone = Props & { phone: string };

/** The box is unticked, and the text next to it is what is agreed to, word for word. */
function Agree({ tenantId, texts: { consent }, phone, onChanged }: OfPhone) {
  const [requestTexts] = useRequestTextsMutation();
  const [isTicked, setTicked] = useState(false);
  const [problem, setProblem] = useState<string>();
  const { submit, isBusy, error } = useSubmit<object>(async () => {
    await requestTexts({ tenantId, consent }).unwrap();
    await onChanged(t('A code was sent to {phone}.', { phone: formatPhone(phone) }));
  });
  return (
    <form
      className="mt-2 grid gap-4"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (isTicked) void submit({});
        else setProblem(t('Tick the box to agree, or leave reminders as they are.'));
      }}
    >
      <CheckboxField
        label={t('Text me reminders, in place of emails')}
        hint={consent}
        error={problem}
        checked={isTicked}
        onChange={({ target }) => {
          setTicked(target.checked);
          setProblem(undefined);
        }}
      />
      {error !== null && <Failure isBusy={isBusy}>{error}</Failure>}
      <div className="flex flex-col sm:flex-row sm:justify-end">
        <Button type="submit" variant="secondary" busy={isBusy}>
          {t('Text me a code')}
        </Button>
      </div>
    </form>
  );
}

function Confirm({ tenantId, texts: { consent }, phone, onChanged }: OfPhone) {
  const [requestTexts] = useRequestTextsMutation();
  const [confirmTexts] = useConfirmTextsMutation();
  const [stopTexts] = useStopTextsMutation();
  const [problem, setProblem] = useState<string>();
  const field = useRef<HTMLInputElement>(null);
  const confirm = useSubmit(async (given: { code: string }) => {
    const { success } = await confirmTexts({ tenantId, ...given }).unwrap();
    if (success) await onChanged(t('Reminders now go by text message.'));
    else setProblem(t('This code is wrong or too old. Try again, or get another one.'));
  });
  const resend = useSubmit<object>(async () => {
    await requestTexts({ tenantId, consent }).unwrap();
    await onChanged(t('Another code was sent to {phone}.', { phone: formatPhone(phone) }));
  });
  const cancel = useSubmit<object>(async () => {
    await stopTexts(tenantId).unwrap();
    await onChanged(t('Reminders go by email as before.'));
  });
  const isBusy = confirm.isBusy || resend.isBusy || cancel.isBusy;
  const error = confirm.error ?? resend.error ?? cancel.error;
  return (
    <form
      className="mt-2 grid gap-4"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        const code = field.current?.value.trim() ?? '';
        if (code === '') setProblem(t('Code is required.'));
        else void confirm.submit({ code });
      }}
    >
      <TextField
        ref={field}
        label={t('Code')}
        hint={t('The digits in the text message to {phone}.', { phone: formatPhone(phone) })}
        inputMode="numeric"
        autoComplete="one-time-code"
        spellCheck={false}
        className="tracking-[0.2em] tabular-nums"
        error={problem}
        onChange={() => setProblem(undefined)}
      />
      {error !== null && <Failure isBusy={isBusy}>{error}</Failure>}
      <div className="flex flex-col gap-3 sm:flex-row-reverse">
        <Button type="submit" busy={confirm.isBusy}>
          {t('Switch on')}
        </Button>
        <Button variant="secondary" busy={resend.isBusy} onClick={() => void resend.submit({})}>
          {t('Text me another code')}
        </Button>
        <Button variant="quiet" busy={cancel.isBusy} onClick={() => void cancel.submit({})}>
          {t('Cancel')}
        </Button>
      </div>
    </form>
  );
}

function On({ tenantId, phone, onChanged }: OfPhone) {
  const [stopTexts] = useStopTextsMutation();
  const { submit, isBusy, error } = useSubmit<object>(async () => {
    await stopTexts(tenantId).unwrap();
    await onChanged(t('Text messages are off. Reminders go by email.'));
  });
  return (
    <>
      <p className="mt-2">
        {t(
          'Reminders go by text message to {phone}, in place of emails. Reply STOP to one of them to end them.',
          { phone: formatPhone(phone) },
        )}
      </p>
      {error !== null && (
        <div className="mt-4">
          <Failure isBusy={isBusy}>{error}</Failure>
        </div>
      )}
      <div className="mt-4 flex flex-col sm:flex-row sm:justify-end">
        <Button variant="secondary" busy={isBusy} onClick={() => void submit({})}>
          {t('Switch text messages off')}
        </Button>
      </div>
    </>
  );
}
