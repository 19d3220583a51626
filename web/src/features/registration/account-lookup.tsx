import { register, registerParams } from '@gatehouse/contract/registration';
import { requiredText } from '@gatehouse/contract/text';
import { t } from '@gatehouse/language/t';
import type { ComponentType, SubmitEvent } from 'react';
import { z } from 'zod/mini';
import { call, CORPORATION_CODE } from '#api/call.ts';
import { getDevice } from '#session/session.ts';
import { Failure } from '#ui/alert.tsx';
import { Button } from '#ui/button.tsx';
import { TextField } from '#ui/field.tsx';
import { StepCard } from './step-card.tsx';
import { useStep } from './use-step.ts';

/** What a code was sent for: the body of the lookup call. */
export type Lookup = z.infer<typeof registerParams>;

type Props = {
  /** The facility picker; another feature's, so the screen brings it. */
  LocationFields: ComponentType<{
    errors: Record<string, string>;
    onCorrect: (name: string) => void;
  }>;
  isHidden: boolean;
  onSent: (lookup: Lookup, token: string) => void;
};

const fields = z.extend(registerParams, { state: requiredText(() => t('State')) });

/** The first step: facility and email address. */
export function AccountLookup({ LocationFields, isHidden, onSent }: Props) {
  const { errors, failure, underWay, check, correct, send } = useStep();

  async function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    const checked = check(event.currentTarget, fields, { corporationCode: CORPORATION_CODE });
    if (checked === null) return;
    const { state: _, ...fieldsOfCall } = checked;
    const lookup = { ...fieldsOfCall, device: getDevice() };
    await send('submit', async () =>
      onSent(lookup, (await call(register, { body: lookup })).token),
    );
  }

  return (
    <StepCard step={1} title={t('Account Lookup')} isHidden={isHidden}>
      {location.pathname.endsWith('/forgot-password') && (
        <p className="mt-2">{t('To set a new password, we first find your account.')}</p>
      )}
      <p className="mt-2 text-muted">
        {t(
          'We send a verification code to the email address that your facility has on file for you.',
        )}
      </p>
      <form
        method="post"
        className="mt-6 grid gap-4"
        noValidate
        onSubmit={(event) => void submit(event)}
      >
        <LocationFields errors={errors} onCorrect={correct} />
        <TextField
          label={t('Email Address')}
          name="email"
          type="email"
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          onChange={() => correct('email')}
          error={errors['email']}
        />
        {failure !== '' && <Failure isBusy={underWay !== null}>{failure}</Failure>}
        <Button type="submit" busy={underWay !== null} className="mt-2 w-full">
          {t('Submit')}
        </Button>
      </form>
      <p className="mt-4 text-center">
        <a href="/login" className="link inline-flex min-h-11 items-center">
          {t('Back to Sign In')}
        </a>
      </p>
    </StepCard>
  );
}
