import type { Autopay } from '@gatehouse/contract/autopay';
import { isPending, type EsignDocument } from '@gatehouse/contract/esign';
import type { InsuranceStatus } from '@gatehouse/contract/insurance';
import type { Ledger } from '@gatehouse/contract/ledgers';
import type { Tenant } from '@gatehouse/contract/tenants';
import { parseContents } from '@gatehouse/contract/unit-contents';
import { t } from '@gatehouse/language/t';

/** What the six checks of a rental look at; what is not loaded, or failed to load, is undefined. */
export type RentalFacts = {
  ledger: Pick<Ledger, 'id' | 'balance'>;
  autopay: Pick<Autopay, 'active'> | undefined;
  documents: EsignDocument[] | undefined;
  insurance: Pick<InsuranceStatus, 'activeInsurance' | 'privateInsurance'> | undefined;
  contents: string | undefined;
  tenant: Pick<Tenant, 'driversLicenseNumber'> | undefined;
};

export type RentalCheck = {
  key: 'balance' | 'autopay' | 'esign' | 'insurance' | 'unit-contents' | 'license';
  state: 'pending' | 'done' | 'unknown';
  /** The pending or done wording; of an unknown check what it is about. */
  wording: string;
  /** Where a pending check is done. */
  to: string;
};

/** The id of a rental card's row, so that a check can lead to it. */
export function rowId(row: 'esign' | 'insurance' | 'unit-contents', ledgerId: string): string {
  return `${row}-${ledgerId}`;
}

/** The six checks of a rental in the spec's order and wording. */
export function rentalChecks(facts: RentalFacts): RentalCheck[] {
  const { ledger, autopay, documents, insurance, contents, tenant } = facts;
  const payment = `/billing-info?ledger=${ledger.id}`;
  return [
    check(
      'balance',
      t('Balance'),
      ledger.balance <= 0,
      t('Balance Due'),
      t('Balance Paid Off'),
      payment,
    ),
    check(
      'autopay',
      t('Autopay'),
      autopay?.active,
      t('Autopay Needs Setup'),
      t('Autopay Setup Completed'),
      `/billing-info?autopay=${ledger.id}`,
    ),
    check(
      'esign',
      t('Documents'),
      documents && !documents.some((document) => isPending(document)),
      t('Documents Need E-sign'),
      t('All Documents E-signed'),
      `#${rowId('esign', ledger.id)}`,
    ),
    check(
      'insurance',
      t('Insurance'),
      insurance && (insurance.activeInsurance || insurance.privateInsurance),
      t('Protection Plan or Proof of Private Insurance Needed'),
      t('Protection Plan or Proof of Private Insurance Completed'),
      `#${rowId('insurance', ledger.id)}`,
    ),
    check(
      'unit-contents',
      t('Unit contents'),
      contents === undefined ? undefined : parseContents(contents) !== null,
      t('Unit Contents Needed'),
      t('Unit Contents Entered'),
      `#${rowId('unit-contents', ledger.id)}`,
    ),
    check(
      'license',
      t("Driver's license"),
      tenant && tenant.driversLicenseNumber !== null,
      t("Driver's License Info Needed"),
      t("Driver's License Info Entered"),
      '/account#license',
    ),
  ];
}

/** How many checks of a rental are pending. */
export function itemsNeedingAttention(checks: RentalCheck[]): number {
  return checks.filter(({ state }) => state === 'pending').length;
}

function check(
  key: RentalCheck['key'],
  subject: string,
  isDone: boolean | undefined,
  pending: string,
  done: string,
  to: string,
): RentalCheck {
  if (isDone === undefined) return { key, state: 'unknown', wording: subject, to };
  return isDone
    ? { key, state: 'done', wording: done, to }
    : { key, state: 'pending', wording: pending, to };
}
