import {
  CODE_DIGITS,
  CODE_MINUTES,
  invalidCode,
  register,
  verify,
  verifyParams,
} from '@gatehouse/contract/registration';
import { rich } from '@gatehouse/language/rich';
import { t } from '@gatehouse/language/t';
import { type SubmitEvent, useRef, useState } from 'react';
import { call, CallError, CORPORATION_CODE } from '#api/call.ts';
import { Alert, Failure } from '#ui/alert.tsx';
import { Button } from '#ui/button.tsx';
import { TextField } from '#ui/field.tsx';
import type { Lookup } from './account-lookup.tsx';
import { StepCard } from './step-card.tsx';
import { useStep } from './use-step.ts';

type Props = {
  lookup: Lookup;
  token: string;
  onResent: (token: string) => void;
  onVerified: () => void;
  onBack: () => void;
};

/** The second step: the code from the email. */
export function VerifyEmail({ lookup, token, onResent, onVerified, onBack }: Props) {
  const { errors, failure, underWay, check, correct, send } = useStep();
  const [isResent, setResent] = useState(false);
  const code = useRef<HTMLInputElement>(null);
  const isInvalid = failure === invalidCode();

  async function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    const body = check(event.currentTarget, verifyParams, {
      token,
      code: code.current?.value ?? '',
      corporationCode: CORPORATION_CODE,
    });
    if (body === null) return;
    await send('submit', async () => {
      if (!(await isVerified(body))) throw new CallError('refused', 200, invalidCode());
      onVerified();
    });
  }

  /** The lookup call once more, in the place of the last: its token is new. */
  async function resend() {
    setResent(false);
    await send('resend', async () => {
      onResent((await call(register, { body: { ...lookup, token } })).token);
      setResent(true);
      correct('code');
      // The earlier code no longer works.
      if (code.current) code.current.value = '';
    });
  }

  return (
    <StepCard step={2} title={t('Verify Email Address')}>
      <div className="mt-4">
        <Sent to={lookup.email} isResent={isResent} />
      </div>
      <form
        method="post"
        className="mt-6 grid gap-4"
        noValidate
        onSubmit={(event) => void submit(event)}
      >
        <TextField
          ref={code}
          label={t('Verification Code')}
          hint={t('The {digits} digits in the email. They work for {minutes} minutes.', {
            digits: CODE_DIGITS,
            minutes: CODE_MINUTES,
          })}
          name="code"
          inputMode="numeric"
          autoComplete="one-time-code"
          spellCheck={false}
          className="tracking-[0.2em] tabular-nums"
          onChange={() => correct('code')}
          error={errors['code'] ?? (isInvalid ? failure : undefined)}
          isRefused={isInvalid}
        />
        <Button
          variant="quiet"
          className="-mx-3 self-start"
          busy={underWay === 'resend'}
          onClick={() => void resend()}
        >
          {t('Resend')}
        </Button>
        {failure !== '' && !isInvalid && <Failure isBusy={underWay !== null}>{failure}</Failure>}
        <Button type="submit" busy={underWay === 'submit'} className="mt-2 w-full">
          {t('Submit')}
        </Button>
      </form>
      <p className="mt-4 text-center">
        <Button variant="quiet" disabled={underWay !== null} onClick={onBack}>
          {t('Use a different email address')}
        </Button>
      </p>
    </StepCard>
  );
}

function Sent({ to, isResent }: { to: string; isResent: boolean }) {
  const email = <strong>{breakable(to)}</strong>;
  return (
    <Alert tone="info">
      <p className="wrap-anywhere">
        {isResent ? (
          <span>
            {rich('Another email with the verification code was sent to {email}.', { email })}
          </span>
        ) : (
          <span>{rich('An email with the verification code was sent to {email}.', { email })}</span>
        )}
      </p>
      <p className="mt-1">
        {isResent
          ? t('The code in the earlier email no longer works.')
          : t('It may take a minute. Please look in your spam folder too.')}
      </p>
    </Alert>
  );
}

/** On a narrow screen it breaks before its `@`. */
function breakable(email: string) {
  const at = email.lastIndexOf('@');
  return (
    <>
      <span>{email.slice(0, at)}</span>
      <wbr />
      <span>{email.slice(at)}</span>
    </>
  );
}

/** A response without a success flag is a failure too. */
async function isVerified(
  body: Parameters<typeof call<typeof verify>>[1]['body'],
): Promise<boolean> {
  try {
    return (await call(verify, { body })).success;
  } catch (error) {
    if (error instanceof CallError && error.kind === 'parsing') return false;
    throw error;
  }
}
