import type { InsuranceStatus } from '@gatehouse/contract/insurance';
import { describe, expect, it } from 'vitest';
import { z } from 'zod/mini';
import {
  addBody,
  dollarsOf,
  filledForm,
  type InsuranceForm,
  insuranceSchema,
  PRIVATE_INSURANCE,
  proofBody,
  updateBody,
} from './insurance-form.ts';

const today = '2026-11-20';
const coverageId = '2e4a6c8e-0b1d-4f3a-9c5e-7d8f6a4b2c10';
const policy: InsuranceForm = {
  choice: PRIVATE_INSURANCE,
  description: ' Lone Star Marine ',
  policyNumber: 'LSM-204417',
  coverageEnd: '2026-11-21',
  coverageAmount: '$25,000.50',
};
const none: InsuranceStatus = {
  ledgerId: 'l1',
  activeInsurance: false,
  privateInsurance: false,
  coverage: null,
  premium: null,
  policyNumber: null,
  coverageId: null,
};

function messages(form: InsuranceForm): Record<string, string> {
  const { error } = z.safeParse(insuranceSchema(form.choice, today), form);
  // The first of a field is the one that is shown.
  return Object.fromEntries(
    (error?.issues ?? []).toReversed().map(({ path, message }) => [path.join('.'), message]),
  );
}

describe('the insurance form', () => {
  it('wants a choice, and of a plan nothing more', () => {
    expect(messages({ ...filledForm(null) })).toEqual({
      choice: 'Choose a protection plan or private insurance.',
    });
    expect(
      z.parse(insuranceSchema(coverageId, today), { ...filledForm(null), choice: coverageId }),
    ).toEqual({
      kind: 'plan',
      coverageId,
    });
  });

  it('wants company, number, expiration and amount of private insurance', () => {
    expect(messages({ ...filledForm(null), choice: PRIVATE_INSURANCE })).toEqual({
      description: 'Policy company is required.',
      policyNumber: 'Policy number is required.',
      coverageEnd: 'Expiration date is required.',
      coverageAmount: 'Coverage amount is required.',
    });
  });

  // spec 5.28, 9.8
  it('takes tomorrow as the earliest expiration', () => {
    expect(messages(policy)).toEqual({});
    expect(messages({ ...policy, coverageEnd: today })).toEqual({
      coverageEnd: 'Expiration date must be tomorrow or later.',
    });
  });

  // spec 5.29
  it('sends the coverage amount as a number and refuses what is none', () => {
    expect(z.parse(insuranceSchema(PRIVATE_INSURANCE, today), policy)).toEqual({
      kind: 'private',
      proof: {
        description: 'Lone Star Marine',
        policyNumber: 'LSM-204417',
        coverageEnd: '2026-11-21',
        coverageAmount: 25_000.5,
      },
    });
    expect(['25000', '$ 1,250', '0.5', '-5', '２５０．５'].map(dollarsOf)).toEqual([
      25_000, 1250, 0.5, -5, 250.5,
    ]);
    for (const text of ['lots', '1e5', '25.000,00', '1,23', '5 000'])
      expect(messages({ ...policy, coverageAmount: text })).toEqual({
        coverageAmount: 'Coverage amount must be a number.',
      });
    expect(messages({ ...policy, coverageAmount: '0' })).toEqual({
      coverageAmount: 'Coverage amount must be above $0.00.',
    });
  });

  it('opens with the private policy on file, and else with nothing chosen', () => {
    expect(filledForm(null).choice).toBe('');
    expect(filledForm({ ...none, activeInsurance: true, coverage: 5000, coverageId }).choice).toBe(
      '',
    );
    expect(
      filledForm({
        ...none,
        privateInsurance: true,
        coverage: 25_000,
        policyNumber: 'LSM-1',
        policy: { company: 'Lone Star Marine', endsOn: '2027-01-31', coverage: 25_000 },
      }),
    ).toEqual({
      choice: PRIVATE_INSURANCE,
      description: 'Lone Star Marine',
      policyNumber: 'LSM-1',
      coverageEnd: '2027-01-31',
      coverageAmount: '25000',
    });
  });
});

describe('the bodies of the specification', () => {
  const ledger = { unitId: 'u1', unitName: 'B207' };

  // spec 7.26
  it('adds a plan with coverageId, unitId and coverageStartDate', () => {
    expect(addBody(coverageId, ledger, today)).toEqual({
      coverageId,
      unitId: 'u1',
      coverageStartDate: today,
    });
  });

  // spec 7.28
  it('asks for another plan with who asks, the plan and its start', () => {
    const plan = {
      id: coverageId,
      description: '$5,000 protection plan',
      coverage: 5000,
      premium: 14,
    };
    const tenant = {
      firstName: 'Dana',
      lastName: 'Reyes',
      email: 'dana@example.com',
      phone: { primary: '8175550142' },
    };
    expect(updateBody(plan, ledger, tenant, today)).toEqual({
      formType: 'insurance_request',
      unitName: 'B207',
      unitId: 'u1',
      firstName: 'Dana',
      lastName: 'Reyes',
      emailAddress: 'dana@example.com',
      phone: '8175550142',
      coverageAmount: 5000,
      coveragePremium: 14,
      coverageId,
      coverageStartDate: today,
    });
  });

  // spec 7.34
  it('proves private insurance with description, number, end, amount and start', () => {
    const proof = {
      description: 'Lone Star',
      policyNumber: 'LSM-1',
      coverageEnd: '2027-01-01',
      coverageAmount: 25_000,
    };
    expect(proofBody(proof, today)).toEqual({ ...proof, coverageStart: today });
  });
});
