import type { Autopay } from '@gatehouse/contract/autopay';
import type { Facility } from '@gatehouse/contract/facilities';
import type { Ledger } from '@gatehouse/contract/ledgers';
import { mandateText } from '@gatehouse/contract/mandate';
import { formatMoney } from '@gatehouse/contract/money';
import { t } from '@gatehouse/language/t';
import { useWatch } from 'react-hook-form';
import { chargedMethod, type MethodForm } from './method-form.ts';
import { chargeWords, nextCharges } from './next-charges.ts';
import type { Method } from './use-method.ts';

type Props = {
  method: Method;
  facility: Facility;
  /** The units that autopay is saved for. */
  units: Ledger[];
  autopays: Autopay[];
  /** The primary button's words. */
  label: string;
  /** The dollars that the primary button takes at once. */
  due: number;
};

/**
 * What the tenant agrees to with the primary button, in three lines, and behind a link the text
 * that the server keeps.
 */
export function Authorization({ method, facility, units, autopays, label, due }: Props) {
  const form = useWatch({ control: method.form.control }) as MethodForm;
  const { bringsFee, ...charged } = chargedMethod(form, method.saved);
  const charges = nextCharges(units, autopays, bringsFee);
  const unitName = units.map((unit) => unit.unitName).join(', ');
  const text = mandateText({
    ...charged,
    unitName,
    facilityName: facility.name,
    cardFee: facility.cardFee ? facility.cardFeeAmount : 0,
  });
  return (
    <section aria-label={t('Autopay authorization')} className="border-l-2 border-line pl-3">
      <p className="font-semibold tabular-nums">
        <span>{due > 0 ? t('Now {sum}', { sum: formatMoney(due) }) : t('Nothing now')}</span>
        {charges.length > 0 && (
          <span>{t(', next {charges}', { charges: chargeWords(charges) })}</span>
        )}
      </p>
      <p className="wrap-anywhere">
        {t('On each due date: what is owed on {units} that day.', { units: unitName })}
      </p>
      <p>{agreementWords(label)}</p>
      <details>
        <summary className="link inline-flex min-h-11 items-center">
          {t('Read the authorization')}
        </summary>
        <div className="grid gap-1.5 pb-2 text-muted">
          {text.split('\n').map((paragraph) => (
            <p key={paragraph}>{paragraph}</p>
          ))}
        </div>
      </details>
    </section>
  );
}

/** What a press of the primary button agrees to. */
function agreementWords(label: string): string {
  return t('With “{button}” you agree to autopay. Switch it off at any time under Billing Info.', {
    button: label,
  });
}
