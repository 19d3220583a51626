import type { InsuranceStatus } from '@gatehouse/contract/insurance';
import type { Ledger } from '@gatehouse/contract/ledgers';
import { formatMoney } from '@gatehouse/contract/money';
import { useListLedgerInsuranceStatusesQuery } from '#api/insurance.ts';
import { Fact } from '#ui/facts.tsx';
import { Loadable } from '#ui/loadable.tsx';
import { InsuranceAction } from './insurance-action.tsx';

type Props = { ledger: Ledger; ledgerIds: string[]; id: string };

/** The rental's protection plan or private insurance. `ledgerIds` are asked in one call for all cards. */
export function InsuranceRow({ ledger, ledgerIds, id }: Props) {
  const load = useListLedgerInsuranceStatusesQuery(ledgerIds);
  const insurance = load.data && (load.data.find(({ ledgerId }) => ledgerId === ledger.id) ?? null);
  const isMissing = insurance !== undefined && !insurance?.activeInsurance && !insurance?.privateInsurance;
  return (
    <Fact
      label={label}
      id={id}
      missing={isMissing}
      action={
        insurance === undefined ? undefined : (
          <InsuranceAction ledger={ledger} insurance={insurance} onConflict={() => void load.refetch()} />
        )
      }
    >
      <Loadable load={{ ...load, data: insurance }} failure="The insurance could not be loaded.">
        {(loaded) => <Insurance insurance={loaded} />}
      </Loadable>
    </Fact>
  );
}

/** It may break after the slash: on a phone the whole word is wider than the labels' column. */
const label = (
  <>
    Insurance/
    <wbr />
    Protection Plan (Required)
  </>
);

/** A plan and a private policy may be there at once; `coverage` is then the plan's. */
function Insurance({ insurance }: { insurance: InsuranceStatus | null }) {
  if (!insurance?.activeInsurance && !insurance?.privateInsurance) return 'None on file';
  const { activeInsurance, privateInsurance, coverage, premium, policyNumber } = insurance;
  return (
    <>
      {activeInsurance && (
        <>
          <p>Protection plan</p>
          <Detail texts={[coverage !== null && coverageOf(coverage), premium !== null && premiumOf(premium)]} />
        </>
      )}
      {privateInsurance && (
        <>
          <p>Private insurance</p>
          <Detail
            texts={[
              !activeInsurance && coverage !== null && coverageOf(coverage),
              policyNumber !== null && `Policy ${policyNumber}`,
            ]}
          />
        </>
      )}
    </>
  );
}

function Detail({ texts }: { texts: (string | false)[] }) {
  return (
    <p className="text-13 font-normal text-balance wrap-anywhere text-muted tabular-nums">
      {texts.filter(Boolean).join(', ')}
    </p>
  );
}

function coverageOf(dollars: number): string {
  return `${formatMoney(dollars)} coverage`;
}

function premiumOf(dollars: number): string {
  return `${formatMoney(dollars)} a month`;
}
