import type { InsuranceStatus } from '@gatehouse/contract/insurance';
import type { Ledger } from '@gatehouse/contract/ledgers';
import { formatMoney } from '@gatehouse/contract/money';
import { useListLedgerInsuranceStatusesQuery } from '#api/insurance.ts';
import { Fact } from '#ui/facts.tsx';
import { Loadable } from '#ui/loadable.tsx';

type Props = { ledger: Ledger; ledgerIds: string[]; id: string };

/** The rental's protection plan or private insurance. `ledgerIds` are asked in one call for all cards. */
export function InsuranceRow({ ledger, ledgerIds, id }: Props) {
  const load = useListLedgerInsuranceStatusesQuery(ledgerIds);
  const insurance = load.data && (load.data.find(({ ledgerId }) => ledgerId === ledger.id) ?? null);
  const isMissing = insurance !== undefined && !insurance?.activeInsurance && !insurance?.privateInsurance;
  return (
    <Fact label={label} id={id} missing={isMissing}>
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

function Insurance({ insurance }: { insurance: InsuranceStatus | null }) {
  if (insurance?.activeInsurance) {
    return (
      <>
        <p>Protection plan{insurance.coverage !== null && `, ${formatMoney(insurance.coverage)} coverage`}</p>
        {insurance.premium !== null && (
          <p className="text-13 font-normal text-muted tabular-nums">{formatMoney(insurance.premium)} a month</p>
        )}
      </>
    );
  }
  if (insurance?.privateInsurance) {
    return (
      <>
        <p>Private insurance{insurance.coverage !== null && `, ${formatMoney(insurance.coverage)} coverage`}</p>
        {insurance.policyNumber !== null && (
          <p className="text-13 font-normal text-muted">Policy {insurance.policyNumber}</p>
        )}
      </>
    );
  }
  return 'None on file';
}
