import type { InsuranceStatus } from '@gatehouse/contract/insurance';
import type { Ledger } from '@gatehouse/contract/ledgers';
import { formatDate } from '@gatehouse/contract/dates';
import { formatMoney } from '@gatehouse/contract/money';
import { language } from '@gatehouse/language/language';
import { rich } from '@gatehouse/language/rich';
import { t } from '@gatehouse/language/t';
import { useListLedgerInsuranceStatusesQuery } from '#api/insurance.ts';
import { Fact } from '#ui/facts.tsx';
import { Loadable } from '#ui/loadable.tsx';
import { LazyContent } from '#ui/lazy-content.tsx';
import { lazyPart } from '#ui/lazy-part.tsx';
import { InsuranceAction } from './insurance-action.tsx';

const open = lazyPart(() => import('./plan-change-open.tsx'));

type Props = { ledger: Ledger; ledgerIds: string[]; id: string };

/**
 * The rental's protection plan or private insurance. `ledgerIds` are asked in one call for all
 * cards.
 */
export function InsuranceRow({ ledger, ledgerIds, id }: Props) {
  const load = useListLedgerInsuranceStatusesQuery(ledgerIds);
  const insurance = load.data && (load.data.find(({ ledgerId }) => ledgerId === ledger.id) ?? null);
  const isInsured = Boolean(insurance?.activeInsurance || insurance?.privateInsurance);
  const details = insurance && detailsOf(insurance);
  return (
    <Fact
      label={label}
      id={id}
      state={insurance === undefined ? 'none' : isInsured ? 'done' : 'missing'}
      saved={insurance === undefined ? undefined : String(details)}
      details={details && <p className="wrap-anywhere tabular-nums">{details}</p>}
      action={
        insurance === undefined ? undefined : (
          <InsuranceAction
            ledger={ledger}
            insurance={insurance}
            onConflict={() => void load.refetch()}
          />
        )
      }
      pending={insurance?.activeInsurance && <LazyContent isQuiet part={open} props={{ ledger }} />}
    >
      <Loadable
        load={{ ...load, data: insurance }}
        failure={t('The insurance could not be loaded.')}
      >
        {(loaded) =>
          loaded && isInsured ? (
            <Insurance insurance={loaded} />
          ) : (
            <span className="inline-block">{t('None on file')}</span>
          )
        }
      </Loadable>
    </Fact>
  );
}

/**
 * In English it may break after the slash, because on a phone the whole word is wider than its
 * column; its row then has less room for the button (facts.css).
 */
const label = (
  <span>
    {rich('Insurance/{wbr}Protection Plan (Required)', {
      wbr: language() === 'en' && <wbr />,
    })}
  </span>
);

/** A plan and a private policy may be there at once. */
function Insurance({ insurance }: { insurance: InsuranceStatus }) {
  const { activeInsurance, privateInsurance, coverage, policy } = insurance;
  const kinds = [
    activeInsurance && t('Protection plan'),
    privateInsurance && t('Private insurance'),
  ];
  return (
    <>
      <span>{kinds.filter(Boolean).join(', ')}</span>
      {privateInsurance && policy?.endsOn && (
        <span className="font-normal tabular-nums">
          {` ${t('until {date}', { date: formatDate(policy.endsOn) })}`}
        </span>
      )}
      {coverage !== null && (
        <span className="font-normal tabular-nums">{`, ${t('{coverage} coverage', { coverage: formatMoney(coverage) })}`}</span>
      )}
    </>
  );
}

function detailsOf({ activeInsurance, premium, policyNumber }: InsuranceStatus): string {
  return [
    activeInsurance &&
      premium !== null &&
      t('{premium} a month', { premium: formatMoney(premium) }),
    policyNumber !== null && t('Policy {number}', { number: policyNumber }),
  ]
    .filter(Boolean)
    .join(', ');
}
