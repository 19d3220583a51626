import { useEffect, useRef, useState } from 'react';
import { LocationFields } from '#features/facilities/location-fields.tsx';
import { AccountLookup, type Lookup } from '#features/registration/account-lookup.tsx';
import { SetPassword } from '#features/registration/set-password.tsx';
import { StepCard } from '#features/registration/step-card.tsx';
import { VerifyEmail } from '#features/registration/verify-email.tsx';
import { buttonClass } from '#ui/button.tsx';

type Step =
  | { kind: 'lookup' }
  | { kind: 'verify'; lookup: Lookup; token: string }
  | { kind: 'password'; lookup: Lookup; token: string }
  | { kind: 'success' };

/**
 * Registration and forgot password, the same four steps (spec sections 2 and 4). Code, password and token live here and
 * in the steps' fields alone, and go with the step. By `call` alone, so that this page loads no query library.
 */
export function Register() {
  const [step, setStep] = useState<Step>({ kind: 'lookup' });
  const box = useRef<HTMLDivElement>(null);
  const reached = useRef(step.kind);

  useEffect(() => {
    if (reached.current === step.kind) return;
    reached.current = step.kind;
    box.current?.querySelector<HTMLElement>('section:not([hidden]) h1')?.focus();
  }, [step.kind]);

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
          email={step.lookup.email}
          token={step.token}
          onDone={() => setStep({ kind: 'success' })}
          onRestart={restart}
        />
      )}
      {step.kind === 'success' && (
        <StepCard title="Registration Success">
          <p className="mt-2">You have successfully setup your account.</p>
          <a href="/login" className={buttonClass('primary', 'mt-6 w-full')}>
            Sign in to your account
          </a>
        </StepCard>
      )}
    </div>
  );
}
