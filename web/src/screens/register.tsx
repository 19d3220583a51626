import { registerParams } from '@gatehouse/contract/registration';
import { t } from '@gatehouse/language/t';
import { useEffect, useRef, useState } from 'react';
import { z } from 'zod/mini';
import { LocationFields } from '#features/facilities/location-fields.tsx';
import { AccountLookup } from '#features/registration/account-lookup.tsx';
import { SetPassword } from '#features/registration/set-password.tsx';
import { StepCard } from '#features/registration/step-card.tsx';
import { VerifyEmail } from '#features/registration/verify-email.tsx';
import { Alert } from '#ui/alert.tsx';
import { buttonClass } from '#ui/button.tsx';

/** The steps with a token, which a reload continues with. */
const keptStep = z.object({
  kind: z.enum(['verify', 'password']),
  lookup: registerParams,
  token: z.string(),
});

type Step = { kind: 'lookup' } | z.infer<typeof keptStep> | { kind: 'success' };

/**
 * Registration and forgot password, the same four steps. Code and password live in the steps'
 * fields only; the token in this tab's history entry too, so that a reload keeps the step, and
 * until it is used (docs/decisions/0044). By `call` only, so that this page loads no query library.
 */
export default function Register() {
  const [step, setStep] = useState(takeKeptStep);
  const box = useRef<HTMLDivElement>(null);
  const reached = useRef(step.kind);

  useEffect(() => {
    if (reached.current === step.kind) return;
    reached.current = step.kind;
    box.current?.querySelector<HTMLElement>('section:not([hidden]) h1')?.focus();
  }, [step.kind]);

  useEffect(() => {
    const { success, data } = z.safeParse(keptStep, step);
    history.replaceState({ ...history.state, step: success ? data : undefined }, '');
  }, [step]);

  const restart = () => setStep({ kind: 'lookup' });
  return (
    <div ref={box}>
      {/* Kept while a code is waited for, so that the address can be corrected. */}
      {(step.kind === 'lookup' || step.kind === 'verify') && (
        <AccountLookup
          LocationFields={LocationFields}
          isHidden={step.kind === 'verify'}
          onSent={(lookup, token) => setStep({ kind: 'verify', lookup, token })}
        />
      )}
      {step.kind === 'verify' && (
        <VerifyEmail
          lookup={step.lookup}
          token={step.token}
          onResent={(token) => setStep({ ...step, token })}
          onVerified={() => setStep({ ...step, kind: 'password' })}
          onBack={restart}
        />
      )}
      {step.kind === 'password' && (
        <SetPassword
          lookup={step.lookup}
          token={step.token}
          onDone={() => setStep({ kind: 'success' })}
          onRestart={restart}
        />
      )}
      {step.kind === 'success' && (
        <StepCard step={4} title={t('Registration Success')}>
          <div className="mt-4">
            <Alert tone="good">{t('You have successfully setup your account.')}</Alert>
          </div>
          <a href="/login" className={buttonClass('primary', 'mt-6 w-full')}>
            {t('Sign in to your account')}
          </a>
        </StepCard>
      )}
    </div>
  );
}

let isReload = true;

/** The step of the page as it was loaded; a visitor who comes back to it later begins anew. */
function takeKeptStep(): Step {
  const { success, data } = z.safeParse(
    keptStep,
    (history.state as { step?: unknown } | null)?.step,
  );
  const isKept = success && isReload;
  isReload = false;
  return isKept ? data : { kind: 'lookup' };
}
