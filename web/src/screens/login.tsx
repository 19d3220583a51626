import { listLocations } from '@gatehouse/contract/facilities';
import { requiredText } from '@gatehouse/contract/text';
import { userParams } from '@gatehouse/contract/user-params';
import { t } from '@gatehouse/language/t';
import { type SubmitEvent, useEffect, useRef, useState } from 'react';
import { z } from 'zod/mini';
import { CallError, CORPORATION_CODE } from '#api/call.ts';
import type { FirstReads } from '#api/first-read.ts';
import { LocationFields } from '#features/facilities/location-fields.tsx';
import { useCheckedFields } from '#features/registration/use-checked-fields.ts';
import { signIn, signInByPasskey } from '#features/session/sign-in.ts';
import { getRegistered, getRemembered, getSessionEnd, type SessionEnd } from '#session/session.ts';
import { Alert, Failure } from '#ui/alert.tsx';
import { Button } from '#ui/button.tsx';
import { CheckboxField, TextField } from '#ui/field.tsx';
import { PasswordField } from '#ui/password-field.tsx';

export const reads: FirstReads = () => [
  { endpoint: listLocations, params: { corp: CORPORATION_CODE } },
];

/** All four fields are required. */
const fields = z.extend(userParams, { state: requiredText(() => t('State')) });

type Pressed = 'password' | 'passkey';

/** Signs in once at a time; the button stays busy until the next page shows. */
function useSending() {
  const [failure, setFailure] = useState('');
  const [pressed, setPressed] = useState<Pressed | null>(null);
  const isUnderWay = useRef(false);

  async function send(button: Pressed, act: () => Promise<void>) {
    if (isUnderWay.current) return;
    isUnderWay.current = true;
    setPressed(button);
    try {
      await act();
    } catch (error) {
      const { status, message } =
        error instanceof CallError ? error : { status: 0, message: String(error) };
      console.error('Sign-in failed:', status, message);
      setFailure(message);
      setPressed(null);
      isUnderWay.current = false;
    }
  }

  return { pressed, failure, setFailure, send };
}

/**
 * Sign in. What is typed stays in the fields, also what was typed before this is hydrated. What
 * follows a sign-in is up to the session's listeners.
 */
export default function Login() {
  const form = useRef<HTMLFormElement>(null);
  const { errors, check, correct } = useCheckedFields();
  const { pressed, failure, setFailure, send } = useSending();
  const ended = getSessionEnd();

  useEffect(() => fillInRemembered(form.current!), []);

  async function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    if (pressed !== null) return;
    const { username, remember } = controlsOf(event.currentTarget);
    const checked = check(event.currentTarget, fields, {
      username: username.value.trim(),
      corporationCode: CORPORATION_CODE,
    });
    if (checked === null) setFailure('');
    else await send('password', () => signIn({ ...checked, isRemembered: remember.checked }));
  }

  return (
    <div className="rounded-card border border-line bg-raised p-4 sm:p-6">
      <h1 className="text-24 font-semibold">{t('Sign in to your account')}</h1>
      {/* A post: should the browser itself ever send it, the password is not in the address. */}
      <form
        ref={form}
        method="post"
        className="mt-4 grid gap-3"
        noValidate
        onSubmit={(event) => void submit(event)}
      >
        {ended !== null && ended !== 'logout' && failure === '' && (
          <Alert tone="info">{endings[ended]}</Alert>
        )}
        <LocationFields errors={errors} onCorrect={correct} />
        <TextField
          label={t('Email Address')}
          name="username"
          type="email"
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          onChange={() => correct('username')}
          error={errors['username']}
        />
        <div>
          <PasswordField
            label={t('Password')}
            name="password"
            autoComplete="current-password"
            onChange={() => correct('password')}
            error={errors['password']}
          />
          <a href="/forgot-password" className="link inline-flex min-h-11 items-center">
            {t('Forgot password?')}
          </a>
        </div>
        <CheckboxField label={t('Remember my email on this device')} name="remember" isPlain />
        {failure !== '' && <Failure isBusy={pressed !== null}>{failure}</Failure>}
        <Button type="submit" busy={pressed === 'password'} className="w-full">
          {t('Sign In')}
        </Button>
        <div className="border-t border-line pt-4">
          <Button
            variant="secondary"
            busy={pressed === 'passkey'}
            className="w-full max-sm:px-3!"
            onClick={() =>
              void send('passkey', () => signInByPasskey(controlsOf(form.current!).keep.checked))
            }
          >
            {t('Use a passkey (fingerprint or face)')}
          </Button>
          <CheckboxField label={t('Keep me signed in on this phone')} name="keep" isPlain />
        </div>
      </form>
      <p className="text-center">
        {t("Don't have an account yet?")}{' '}
        <a href="/register" className="link inline-flex min-h-11 items-center">
          {t('Sign up')}
        </a>
      </p>
    </div>
  );
}

type Controls = Record<'username' | 'remember' | 'keep', HTMLInputElement>;

function controlsOf(form: HTMLFormElement): Controls {
  return form.elements as HTMLFormControlsCollection & Controls;
}

/** The HTML of the page is the same for all: what this device remembers comes afterwards. */
function fillInRemembered(form: HTMLFormElement): void {
  const { username, remember } = controlsOf(form);
  const email = getRemembered()?.email;
  if (username.value === '') username.value = getRegistered() ?? email ?? '';
  if (email !== undefined) remember.checked = true;
}

const endings: Record<Exclude<SessionEnd, 'logout'>, string> = {
  idle: t('You were signed out because nothing happened for 30 minutes. Please sign in again.'),
  expired: t('Your session has ended. Please sign in again.'),
};
