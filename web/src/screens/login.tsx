import { t } from '@gatehouse/language/t';
import { useEffect, useRef } from 'react';
import type { FirstReads } from '#api/first-read.ts';
import { fetchLocations } from '#features/facilities/locations.ts';
import { getSessionEnd, type SessionEnd } from '#session/session.ts';
import { Alert } from '#ui/alert.tsx';
import { Button } from '#ui/button.tsx';
import { CheckboxField, FieldError, Hint, SelectField, TextField } from '#ui/field.tsx';
import { ShowPassword } from '#ui/password-field.tsx';
import { Spinner, SpinnerRing } from '#ui/spinner.tsx';
import { beginLoginForm } from './login-form.ts';

export const reads: FirstReads = () => [() => fetchLocations()];

/**
 * Sign in (spec section 2, Login screen): how it looks. What it does is in login-form.ts, which
 * works without React, so that the page is of use long before React is there. Nothing here may
 * change after the first render.
 */
export default function Login() {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => beginLoginForm(form.current!).end, []);

  const ended = getSessionEnd();
  return (
    <div className="rounded-card border border-line bg-raised p-4 sm:p-6">
      <h1 className="text-24 font-semibold">{t('Sign in to your account')}</h1>
      {/* A post: should the browser itself ever send it, the password is not in the address. */}
      <form ref={form} method="post" className="mt-6 grid gap-4" noValidate>
        {ended !== null && ended !== 'logout' && (
          <div data-part="ending">
            <Alert tone="info">{endings[ended]}</Alert>
          </div>
        )}
        <template data-part="no-locations">
          <Alert tone="bad">
            <p />
            <Button variant="secondary" className="mt-3">
              {t('Try again')}
            </Button>
          </Alert>
        </template>
        <div className="relative">
          <SelectField
            label={t('What state is your facility located?')}
            name="state"
            placeholder=""
            options={[]}
            disabled
          />
          <div
            data-part="loading"
            className="pointer-events-none absolute bottom-0 left-3 flex h-12 items-center"
          >
            <Spinner label={t('Loading locations…')} />
          </div>
        </div>
        <SelectField
          label={t('Select your location')}
          name="locationCode"
          placeholder={t('Select location')}
          options={[]}
          disabled
        />
        <TextField
          label={t('Email Address')}
          name="username"
          type="email"
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
        />
        <div>
          <TextField
            label={t('Password')}
            name="password"
            type="password"
            autoComplete="current-password"
            autoCapitalize="none"
            spellCheck={false}
            end={<ShowPassword isShown={false} />}
          />
          <a href="/forgot-password" className="link inline-flex min-h-11 items-center">
            {t('Forgot password?')}
          </a>
        </div>
        <CheckboxField label={t('Remember my email on this device')} name="remember" />
        <template data-part="failure">
          <Alert tone="bad">
            <p />
          </Alert>
        </template>
        <Button type="submit" className="w-full">
          {t('Sign In')}
        </Button>
        <Button variant="secondary" name="passkey" className="w-full">
          {t('Sign in with a passkey')}
        </Button>
        <CheckboxField label={t('Keep me signed in on this phone by passkey')} name="keep" />
        <template data-part="hint">
          <Hint id="" hint=" " />
        </template>
        <template data-part="error">
          <FieldError id="" error=" " />
        </template>
        <template data-part="hide">
          <ShowPassword isShown />
        </template>
        <template data-part="spinner">
          <SpinnerRing className="absolute right-full mr-1.5 size-4" />
        </template>
      </form>
      <p className="mt-4 text-center text-balance">
        {t("Don't have an account yet?")}{' '}
        <a href="/register" className="link inline-flex min-h-11 items-center">
          {t('Sign up')}
        </a>
      </p>
    </div>
  );
}

const endings: Record<Exclude<SessionEnd, 'logout'>, string> = {
  idle: t('You were signed out because nothing happened for 30 minutes. Please sign in again.'),
  expired: t('Your session has ended. Please sign in again.'),
};
