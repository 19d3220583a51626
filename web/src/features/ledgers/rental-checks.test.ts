import { setLanguageSource } from '@gatehouse/language/language';
import { afterEach, describe, expect, it } from 'vitest';
import { itemsNeedingAttention, rentalChecks, type RentalFacts } from './rental-checks.ts';

const document = {
  ledgerId: 'l1',
  formId: 'f1',
  formName: 'Rental Agreement',
  envelopeStatus: '',
  envelopeStatusId: 1,
};
const nothingDone: RentalFacts = {
  ledger: { id: 'l1', balance: 214.5 },
  autopay: { active: false },
  documents: [{ ...document, envelopeStatusId: 2 }, document],
  insurance: { activeInsurance: false, privateInsurance: false },
  contents: '',
  tenant: { driversLicenseNumber: null },
};
const allDone: RentalFacts = {
  ledger: { id: 'l1', balance: 0 },
  autopay: { active: true },
  documents: [{ ...document, envelopeStatusId: 2 }],
  insurance: { activeInsurance: true, privateInsurance: false },
  contents: 'boat:ABC12345D404',
  tenant: { driversLicenseNumber: '****1234' },
};

afterEach(() => setLanguageSource(() => 'en'));

describe('the checks of a rental', () => {
  // spec 2.66, 2.67, 2.68, 2.69, 2.70, 2.71, 2.72
  it('has the six pending wordings in order', () => {
    const checks = rentalChecks(nothingDone);
    expect(checks.map(({ wording }) => wording)).toEqual([
      'Balance Due',
      'Autopay Needs Setup',
      'Documents Need E-sign',
      'Protection Plan or Proof of Private Insurance Needed',
      'Unit Contents Needed',
      "Driver's License Info Needed",
    ]);
    expect(itemsNeedingAttention(checks)).toBe(6);
  });

  // spec 2.66, 2.67, 2.68, 2.69, 2.70, 2.71, 2.72
  it('has the six done wordings in order', () => {
    const checks = rentalChecks(allDone);
    expect(checks.map(({ wording }) => wording)).toEqual([
      'Balance Paid Off',
      'Autopay Setup Completed',
      'All Documents E-signed',
      'Protection Plan or Proof of Private Insurance Completed',
      'Unit Contents Entered',
      "Driver's License Info Entered",
    ]);
    expect(itemsNeedingAttention(checks)).toBe(0);
  });

  it('has Spanish wordings on a page in Spanish', () => {
    setLanguageSource(() => 'es');
    const [balance] = rentalChecks(nothingDone);
    expect(balance).toMatchObject({ key: 'balance', wording: 'Saldo por pagar' });
  });

  it('leads to where each item is done', () => {
    expect(rentalChecks(nothingDone).map(({ to }) => to)).toEqual([
      '/billing-info?ledger=l1',
      '/billing-info?autopay=l1',
      '#esign-l1',
      '#insurance-l1',
      '#unit-contents-l1',
      '/account#license',
    ]);
  });

  it('takes a credit as paid off, private insurance as insured, no document as signed and household items as entered', () => {
    const checks = rentalChecks({
      ...allDone,
      ledger: { id: 'l1', balance: -10 },
      documents: [],
      insurance: { activeInsurance: false, privateInsurance: true },
      contents: 'none:',
    });
    expect(checks.every(({ state }) => state === 'done')).toBe(true);
  });

  it('counts nothing that is not loaded yet', () => {
    const checks = rentalChecks({
      ledger: { id: 'l1', balance: 5 },
      autopay: undefined,
      documents: undefined,
      insurance: undefined,
      contents: undefined,
      tenant: undefined,
    });
    expect(checks.map(({ state }) => state)).toEqual([
      'pending',
      'unknown',
      'unknown',
      'unknown',
      'unknown',
      'unknown',
    ]);
    expect(itemsNeedingAttention(checks)).toBe(1);
  });
});
