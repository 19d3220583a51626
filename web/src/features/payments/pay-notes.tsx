import { t } from '@gatehouse/language/t';
import type { MouseEvent } from 'react';
import { type UseFormReturn, useFormState, useWatch } from 'react-hook-form';
import { Icon } from '#ui/icons.tsx';
import { type MethodForm, NEW_METHOD } from './method-form.ts';

const line = 'w-full max-sm:basis-full!';

type Props = {
  form: UseFormReturn<MethodForm>;
  /** Whether a payment is under way. */
  isPaying: boolean;
};

/**
 * Above the button that sends money: how many answers it waits for, with the way to the first, or
 * that a payment is sent.
 */
export function PayNotes({ form, isPaying }: Props) {
  const { control } = form;
  const { errors, submitCount } = useFormState({ control });
  const [source, type] = useWatch({ control, name: ['source', 'type'] });
  const isWaiting = submitCount > 0 && source === NEW_METHOD;
  const missed: object = (isWaiting && errors[type]) || {};
  // Month and year have one message.
  const isPair = 'expirationMonth' in missed && 'expirationYear' in missed;
  const count = Object.keys(missed).length - Number(isPair);
  if (isPaying) return <Sending />;
  if (count === 0) return null;
  return (
    <p className={`flex items-center gap-1.5 font-medium text-bad ${line}`}>
      <Icon name="alert" />
      <button
        type="button"
        className="-my-2.5 inline-flex min-h-11 items-center text-left underline underline-offset-2"
        onClick={goToFirst}
      >
        {t('{count, plural, one {# field needs an answer} other {# fields need an answer}}', {
          count,
        })}
      </button>
    </p>
  );
}

function goToFirst({ currentTarget: { form } }: MouseEvent<HTMLButtonElement>) {
  form!.querySelector<HTMLElement>('[aria-invalid=true]')?.focus();
}

/** That a payment is sent. */
export function Sending({ className = '' }: { className?: string }) {
  return (
    <p role="status" className={`text-center ${line} ${className}`}>
      {t('Sending your payment…')}
    </p>
  );
}

type AgreementProps = {
  /** The words of the button that agrees. */
  button: string;
  /** Whether the whole authorization is shown, and how that is changed. */
  read: [isRead: boolean, setRead: (isRead: boolean) => void];
};

/** What a press of the primary button agrees to, with the way to the whole text. */
export function Agreement({ button, read: [isRead, setRead] }: AgreementProps) {
  return (
    <p className={`text-15 ${line}`}>
      <span>{t('With “{button}” you agree to autopay.', { button })}</span>{' '}
      <button
        type="button"
        className="link -my-2.5 inline-flex min-h-11 items-center"
        aria-expanded={isRead}
        onClick={() => setRead(!isRead)}
      >
        {t('Read the authorization')}
      </button>
    </p>
  );
}
