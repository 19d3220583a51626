import { formatPhone, phoneHref } from '@gatehouse/contract/phone';
import { signingAgreement, signingConsent, type SigningView } from '@gatehouse/contract/signing';
import { t } from '@gatehouse/language/t';
import { type SyntheticEvent, useState } from 'react';
import { Failure } from '#ui/alert.tsx';
import { Button } from '#ui/button.tsx';
import { CheckboxField } from '#ui/field.tsx';

type Props = { view: SigningView; isBusy: boolean; error: string | null; onConsent: () => void };

/** What a signer agrees to before the document is shown: 15 U.S.C. 7001(c). */
export function Consent({ view, isBusy, error, onConsent }: Props) {
  const [isAgreed, setAgreed] = useState(false);
  const [isMissing, setMissing] = useState(false);
  function submit(event: SyntheticEvent): void {
    event.preventDefault();
    setMissing(!isAgreed);
    if (isAgreed) onConsent();
  }
  return (
    <form noValidate onSubmit={submit} className="flex flex-col gap-4">
      <h2 className="text-17 font-semibold">{t('Before you sign electronically')}</h2>
      <ul className="flex list-disc flex-col gap-2 pl-5">
        {signingConsent(view).map((sentence) => (
          <li key={sentence} className="wrap-anywhere">
            <WithPhone sentence={sentence} phone={view.facilityPhone} />
          </li>
        ))}
      </ul>
      <CheckboxField
        label={signingAgreement()}
        checked={isAgreed}
        required
        error={isMissing && !isAgreed ? t('Please tick the box to go on.') : undefined}
        onChange={({ currentTarget }) => setAgreed(currentTarget.checked)}
      />
      {error !== null && (
        <Failure isBusy={isBusy} focus>
          {error}
        </Failure>
      )}
      <Button type="submit" busy={isBusy}>
        {t('Read the document')}
      </Button>
    </form>
  );
}

/** A sentence in which the facility's phone number can be pressed, on one line. */
function WithPhone({ sentence, phone }: { sentence: string; phone: string | null }) {
  const number = phone === null ? '' : formatPhone(phone);
  const [before, after] = sentence.split(number, 2);
  if (phone === null || after === undefined) return <span>{sentence}</span>;
  return (
    <>
      <span>{before}</span>
      <a href={phoneHref(phone)} className="link whitespace-nowrap">
        {number}
      </a>
      <span>{after}</span>
    </>
  );
}
