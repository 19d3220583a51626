import { login, userParams } from '@gatehouse/contract/sign-in';
import { type SubmitEvent, useRef, useState } from 'react';
import { z } from 'zod/mini';
import { call, CallError, CORPORATION_CODE } from '#api/call.ts';
import type { FirstReads } from '#api/first-read.ts';
import { fetchLocations, LocationFields } from '#features/facilities/location-fields.tsx';
import { getProofKey, keepClockOffset } from '#features/session/proof-key.ts';
import {
  getDevice,
  getRegistered,
  getRemembered,
  getSessionEnd,
  type SessionEnd,
  setUser,
} from '#session/session.ts';
import { Alert, Failure } from '#ui/alert.tsx';
import { Button } from '#ui/button.tsx';
import { CheckboxField, TextField } from '#ui/field.tsx';
import { PasswordField } from '#ui/password-field.tsx';

export const reads: FirstReads = () => [() => fetchLocations()];

/**
 * Sign in (spec section 2, Login screen). By `call` alone, so that this page loads no query
 * library.
 */
export default function Login() {
  const [errors, setErrors] = useState<Errors>({});
  const [failure, setFailure] = useState('');
  const [signingIn, setSigningIn] = useState(false);
  const underWay = useRef(false);

  async function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    if (underWay.current) return;
    const form = event.currentTarget;
    const checked = check(new FormData(form));
    setErrors(checked.errors);
    if (checked.user === undefined) {
      setFailure('');
      focusFirst(form, checked.errors);
      return;
    }
    underWay.current = true;
    setSigningIn(true);
    try {
      const { username: email, locationCode } = checked.user;
      const isRemembered = new FormData(form).has('remember');
      const proofKey = await getProofKey();
      const body = { ...checked.user, device: getDevice(), proofKey };
      const reply = await call(login, { body });
      await keepClockOffset(reply.serverTime);
      // The guard continues from here; until the next page shows, the button stays busy.
      setUser({ ...reply, locationCode, email: isRemembered ? email : undefined });
    } catch (error) {
      const { status, message } =
        error instanceof CallError ? error : { status: 0, message: String(error) };
      console.error('Sign-in failed:', status, message);
      setFailure(message);
      setSigningIn(false);
      underWay.current = false;
    }
  }

  function correct(name: keyof Errors) {
    setErrors(({ [name]: _, ...others }) => others);
  }

  const ended = getSessionEnd();
  return (
    <div className="rounded-card border border-line bg-raised p-4 sm:p-6">
      <h1 className="text-24 font-semibold">Sign in to your account</h1>
      {/* A post: should the browser itself ever send it, the password is not in the address. */}
      <form
        method="post"
        className="mt-6 grid gap-4"
        noValidate
        onSubmit={(event) => void submit(event)}
      >
        {ended !== null && ended !== 'logout' && failure === '' && (
          <Alert tone="info">{endings[ended]}</Alert>
        )}
        <LocationFields errors={errors} onCorrect={correct} />
        <TextField
          label="Email Address"
          name="username"
          type="email"
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          defaultValue={getRegistered() ?? getRemembered()?.email}
          onChange={() => correct('username')}
          error={errors.username}
        />
        <div>
          <PasswordField
            label="Password"
            name="password"
            autoComplete="current-password"
            onChange={() => correct('password')}
            error={errors.password}
          />
          <a href="/forgot-password" className="link inline-flex min-h-11 items-center">
            Forgot password?
          </a>
        </div>
        <CheckboxField label="Remember my email on this device" name="remember" ref={tick} />
        {failure !== '' && <Failure isBusy={signingIn}>{failure}</Failure>}
        <Button type="submit" busy={signingIn} className="w-full">
          Sign In
        </Button>
      </form>
      <p className="mt-4 text-center text-balance">
        Don't have an account yet?{' '}
        <a href="/register" className="link inline-flex min-h-11 items-center">
          Sign up
        </a>
      </p>
    </div>
  );
}

type Errors = { state?: string; locationCode?: string; username?: string; password?: string };

const endings: Record<Exclude<SessionEnd, 'logout'>, string> = {
  idle: 'You were signed out because nothing happened for 30 minutes. Please sign in again.',
  expired: 'Your session has ended. Please sign in again.',
};

/** Not by `defaultChecked`, which has no effect on a box that was in the HTML. */
function tick(box: HTMLInputElement | null) {
  if (box && getRemembered()?.email !== undefined) box.checked = true;
}

/** All four fields are required (spec section 5); nothing else is asked of them here. */
function check(data: FormData): { errors: Errors; user?: z.infer<typeof userParams> } {
  const text = (name: string) => {
    const value = data.get(name);
    return typeof value === 'string' ? value : '';
  };
  const parsed = z.safeParse(userParams, {
    username: text('username').trim(),
    password: text('password'),
    locationCode: text('locationCode'),
    corporationCode: CORPORATION_CODE,
  });
  const errors: Errors = {};
  for (const { path, message } of parsed.error?.issues ?? [])
    errors[path[0] as keyof Errors] ??= message;
  if (text('state') === '') errors.state = 'State is required.';
  return parsed.success && errors.state === undefined ? { errors, user: parsed.data } : { errors };
}

function focusFirst(form: HTMLFormElement, errors: Errors): void {
  const first = (['state', 'locationCode', 'username', 'password'] as const).find(
    (name) => errors[name],
  );
  const control = first && form.elements.namedItem(first);
  if (control instanceof HTMLElement) control.focus();
}
