import {
  PASSWORD_MAX,
  PASSWORD_MIN,
  passwordParams,
  updatePassword,
} from '@gatehouse/contract/registration';
import { rich } from '@gatehouse/language/rich';
import { t } from '@gatehouse/language/t';
import type { ChangeEvent, SubmitEvent } from 'react';
import { call, CORPORATION_CODE } from '#api/call.ts';
import { forgetPass } from '#session/kept-pass.ts';
import { getDevice, keepDevice } from '#session/session.ts';
import { Failure } from '#ui/alert.tsx';
import { Button } from '#ui/button.tsx';
import { PasswordField } from '#ui/password-field.tsx';
import type { Lookup } from './account-lookup.tsx';
import { StepCard } from './step-card.tsx';
import { useStep } from './use-step.ts';

type Props = {
  lookup: Lookup;
  token: string;
  onDone: () => void;
  onRestart: () => void;
};

/** The third step: the new password. */
export function SetPassword({ lookup, token, onDone, onRestart }: Props) {
  const { email } = lookup;
  const { errors, failure, underWay, check, correct, refuse, send } = useStep();

  async function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    const body = check(event.currentTarget, passwordParams, {
      token,
      corporationCode: CORPORATION_CODE,
    });
    if (body === null) return;
    await send('submit', async () => {
      const reply = await call(updatePassword, { body: { ...body, device: getDevice() } });
      forgetPass();
      keepDevice(reply.device, lookup);
      onDone();
    });
  }

  // Without `maxlength`, which would cut what is pasted to a password that was not meant.
  function change({ target }: ChangeEvent<HTMLInputElement>) {
    if (Array.from(target.value).length <= PASSWORD_MAX) correct('password');
    else refuse('password', t('Password must have at most {n} characters.', { n: PASSWORD_MAX }));
  }

  return (
    <StepCard step={3} title={t('Set your password')}>
      <p className="mt-2 wrap-anywhere text-muted">
        {rich('For {email}. This signs you out on your other devices.', {
          email: <strong>{email}</strong>,
        })}
      </p>
      <form
        method="post"
        className="mt-6 grid gap-4"
        noValidate
        onSubmit={(event) => void submit(event)}
      >
        {/* Lets password managers store the password with its user name. */}
        <input hidden readOnly name="username" autoComplete="username" value={email} />
        <PasswordField
          label={t('Password')}
          hint={t('{min} to {max} characters.', { min: PASSWORD_MIN, max: PASSWORD_MAX })}
          name="password"
          autoComplete="new-password"
          minLength={PASSWORD_MIN}
          onChange={change}
          error={errors['password']}
        />
        {failure !== '' && <Failure isBusy={underWay !== null}>{failure}</Failure>}
        <Button type="submit" busy={underWay !== null} className="mt-2 w-full">
          {t('Submit')}
        </Button>
      </form>
      <p className="mt-4 text-center">
        <Button variant="quiet" disabled={underWay !== null} onClick={onRestart}>
          {t('Start again')}
        </Button>
      </p>
    </StepCard>
  );
}
