import type { InsuranceStatus } from '@gatehouse/contract/insurance';
import type { Ledger } from '@gatehouse/contract/ledgers';
import { formatDate } from '@gatehouse/contract/dates';
import { formatMoney } from '@gatehouse/contract/money';
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
      <Loadable load={{ ...load, data: insurance }} failure="The insurance could not be loaded.">
        {(loaded) =>
          loaded && isInsured ? (
            <Insurance insurance={loaded} />
          ) : (
            <span className="inline-block">None on file</span>
          )
        }
      </Loadable>
    </Fact>
  );
}

/** It may break after the slash: on a phone the whole word is wider than its column. */
const label = (
  <>
    Insurance/
    <wbr />
    Protection Plan (Required)
  </>
);

/** A plan and a private policy may be there at once. */
function Insurance({ insurance }: { insurance: InsuranceStatus }) {
  const { activeInsurance, privateInsurance, coverage, policy } = insurance;
  const kinds = [activeInsurance && 'Protection plan', privateInsurance && 'Private insurance'];
  return (
    <>
      {kinds.filter(Boolean).join(', ')}
      {privateInsurance && policy?.endsOn && (
        <span className="font-normal tabular-nums"> until {formatDate(policy.endsOn)}</span>
      )}
      {coverage !== null && (
        <span className="font-normal tabular-nums">, {formatMoney(coverage)} coverage</span>
      )}
    </>
  );
}

function detailsOf({ activeInsurance, premium, policyNumber }: InsuranceStatus): string {
  return [
    activeInsurance && premium !== null && `${formatMoney(premium)} a month`,
    policyNumber !== null && `Policy ${policyNumber}`,
  ]
    .filter(Boolean)
    .join(', ');
}
