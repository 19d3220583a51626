import { signingRequest, type SigningView } from '@gatehouse/contract/signing';
import { t } from '@gatehouse/language/t';
import { useState } from 'react';
import { useSubmit } from '#api/use-submit.ts';
import { CallFacility } from '#features/link-page/facility-phone.tsx';
import { LinkFrame } from '#features/link-page/link-frame.tsx';
import { Alert, Failure } from '#ui/alert.tsx';
import { Button, buttonClass } from '#ui/button.tsx';
import { LoadFailure } from '#ui/load-failure.tsx';
import { saveFile } from '#ui/save-file.ts';
import { Consent } from './consent.tsx';
import { Decline } from './decline.tsx';
import { SignDocument } from './sign-document.tsx';
import { fetchCopy, type Phase, useSigning } from './use-signing.ts';

/** One document: the consent, then its text with the places to sign, then what has become of it. */
export function SignPage({ first }: { first: Phase }) {
  const signing = useSigning(first);
  const { phase } = signing;
  return (
    <LinkFrame path={location.pathname} isWide>
      <h1 className="text-24 font-semibold wrap-anywhere">
        {phase.kind === 'view' ? phase.view.documentName : t('Sign a document')}
      </h1>
      <div className="mt-4 flex flex-col gap-4">
        {phase.kind === 'failed' && (
          <LoadFailure onTryAgain={() => location.reload()}>{phase.message}</LoadFailure>
        )}
        {phase.kind === 'dead' && <Dead message={phase.message} phone={phase.phone} />}
        {phase.kind === 'complete' && <Done own={phase.own} isComplete otherName={null} />}
        {phase.kind === 'view' && <View view={phase.view} own={phase.own} signing={signing} />}
      </div>
    </LinkFrame>
  );
}

type Signing = ReturnType<typeof useSigning>;

function View({ view, own, signing }: { view: SigningView; own: Phase['own']; signing: Signing }) {
  const { isBusy, error } = signing;
  const [isDeclining, setDeclining] = useState(false);
  if (view.state === 'signed')
    return <Done own={own} isComplete={view.isComplete} otherName={view.otherName} />;
  if (view.state === 'declined') return <Declined view={view} />;
  return (
    <>
      <p className="text-muted">{signingRequest(view)}</p>
      {view.hasConsented ? (
        <SignDocument
          token={signing.token}
          view={view}
          isBusy={isBusy}
          error={error}
          isDeclining={isDeclining}
          onSign={(signature) => void signing.sign(signature)}
        />
      ) : (
        <Consent
          view={view}
          isBusy={isBusy}
          error={error}
          onConsent={() => void signing.consent()}
        />
      )}
      <Button variant="quiet" onClick={() => setDeclining(true)}>
        {t('Decline')}
      </Button>
      {isDeclining && (
        <Decline
          isBusy={isBusy}
          error={error}
          onClose={() => setDeclining(false)}
          onDecline={(reason) => void signing.decline(reason)}
        />
      )}
    </>
  );
}

function Dead({ message, phone }: { message: string; phone: string | null }) {
  return (
    <>
      <Alert tone="warn">{message}</Alert>
      <p>{t('If you rent here, you can sign in and open the document from My Units.')}</p>
      <a href="/login" className={buttonClass()}>
        {t('Sign in')}
      </a>
      <CallFacility phone={phone} />
    </>
  );
}

type DoneProps = { own: Phase['own']; isComplete: boolean; otherName: string | null };

function Done({ own, isComplete, otherName }: DoneProps) {
  return (
    <>
      <Alert tone="good" focus>
        {isComplete ? t('The document is signed.') : t('You have signed the document.')}
      </Alert>
      <p>
        {isComplete || otherName === null
          ? t('The signed copy was emailed to everybody who signed it, and to the facility.')
          : t('{name} signs it next. Then you get the signed copy by email.', { name: otherName })}
      </p>
      {own !== null && (
        <>
          {isComplete && <Copy own={own} />}
          <a href="/" className={buttonClass('secondary')}>
            {t('Back to My Units')}
          </a>
        </>
      )}
    </>
  );
}

/** Downloads the signed copy, which is made within a moment of the last signature. */
function Copy({ own }: { own: NonNullable<Phase['own']> }) {
  const { submit, isBusy, error } = useSubmit<object>(async () => saveFile(await fetchCopy(own)));
  return (
    <>
      {error !== null && <Failure isBusy={isBusy}>{error}</Failure>}
      <Button icon="download" busy={isBusy} onClick={() => void submit({})}>
        {t('Download the signed copy')}
      </Button>
    </>
  );
}

function Declined({ view: { facilityName, facilityPhone } }: { view: SigningView }) {
  return (
    <>
      <Alert tone="info" focus>
        {t('The document was declined. Nobody can sign it any more.')}
      </Alert>
      <p>{t('{facility} was told, and will be in touch.', { facility: facilityName })}</p>
      <CallFacility phone={facilityPhone} />
    </>
  );
}
