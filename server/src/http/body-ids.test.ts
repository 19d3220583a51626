import { addInsurance, updateInsurance } from '@gatehouse/contract/insurance-plans';
import { createMaintenanceRequest } from '@gatehouse/contract/maintenance';
import { makePayment } from '@gatehouse/contract/payments';
import { expect, test } from 'vitest';
import { z } from 'zod/mini';
import type { Schema } from '@gatehouse/contract/endpoint';
import { readerOfBodyIds } from './body-ids.ts';

const [A, B] = ['5A9D2B7C-1E3F-4D6A-8B0C-9F8E7D6C5B4A', '3f0c8a52-77f4-4b0e-9a64-0d5e1c2b3a49'];

test.each<[string, { name: string; body?: Schema }, unknown, object]>([
  [
    'every ledger of a payment; its unit is the ledger’s',
    makePayment,
    {
      payments: [{ ledgerId: A, unitId: B }, { ledgerId: B }],
      webhookData: { ledgerId: 'a copy' },
    },
    { ledgers: [A.toLowerCase(), B] },
  ],
  [
    'the ledger and record of a repair',
    createMaintenanceRequest,
    { ledgerId: B, tenantId: A },
    { ledgers: [B], tenants: [A.toLowerCase()] },
  ],
  ['a record that is left out', createMaintenanceRequest, { ledgerId: B }, { ledgers: [B] }],
  ['the unit of a protection plan', addInsurance, { unitId: B, coverageId: A }, { units: [B] }],
  [
    'the unit of either form of a change',
    updateInsurance,
    { unitId: B, policyNumber: 'P' },
    { units: [B] },
  ],
])('reads %s', (_, { name, body }, given, ids) => {
  const read = readerOfBodyIds(name, body!)!(given);
  const unique = Object.fromEntries(
    Object.entries(read).map(([kind, values]) => [kind, [...new Set(values)]]),
  );
  expect(unique).toEqual({ tenants: [], ledgers: [], units: [], ...ids });
});

test('a body without ids has nothing to check', () => {
  expect(readerOfBodyIds('plain', z.object({ reason: z.string() }))).toBeNull();
});

test('an id without a check prevents the start', () => {
  const body = z.object({ list: z.array(z.object({ gateId: z.optional(z.uuid()) })) });
  expect(() => readerOfBodyIds('openGate', body)).toThrow(
    'openGate takes an id gateId that is not checked',
  );
});
