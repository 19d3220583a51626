import type { Ledger } from '@gatehouse/contract/ledgers';
import { useListAutopaysQuery } from '#api/autopay.ts';
import { useListFilesQuery } from '#api/esign.ts';
import { useListLedgerInsuranceStatusesQuery } from '#api/insurance.ts';
import { useGetTenantQuery } from '#api/tenants.ts';
import { useGetUnitContentsQuery } from '#api/unit-contents.ts';
import { type RentalCheck, rentalChecks } from './rental-checks.ts';

/**
 * The checks of a rental from the cached data that its card shows, and whether some of it is still
 * on its way.
 */
export function useRentalChecks(
  ledger: Ledger,
  ledgerIds: string[],
): { checks: RentalCheck[]; isLoading: boolean } {
  const autopays = useListAutopaysQuery(ledger.tenantId);
  const files = useListFilesQuery(ledger.tenantId);
  const insurances = useListLedgerInsuranceStatusesQuery(ledgerIds);
  const contents = useGetUnitContentsQuery(ledger.id);
  const tenant = useGetTenantQuery(ledger.tenantId);
  const isOfLedger = ({ ledgerId }: { ledgerId: string }) => ledgerId === ledger.id;
  return {
    checks: rentalChecks({
      ledger,
      autopay: autopays.data && (autopays.data.find(isOfLedger) ?? { active: false }),
      documents: files.data?.filter(isOfLedger),
      insurance: insurances.data && (insurances.data.find(isOfLedger) ?? uninsured),
      contents: contents.data?.contents,
      tenant: tenant.data,
    }),
    isLoading: [autopays, files, insurances, contents, tenant].some(({ isLoading }) => isLoading),
  };
}

const uninsured = { activeInsurance: false, privateInsurance: false };
