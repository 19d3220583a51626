import type { Ledger } from '@gatehouse/contract/ledgers';
import { expect, it, vi } from 'vitest';
import { confirmPayment } from './confirmation.ts';

const before = [{ id: 'l1', balance: 214.5 }] as Ledger[];
const after = [{ id: 'l1', balance: 0 }] as Ledger[];
const wait = () => Promise.resolve();
const hasLeft = () => false;

it('ends once the balance has changed', async () => {
  const listLedgers = vi.fn(() => Promise.resolve(listLedgers.mock.calls.length < 3 ? before : after));
  expect(await confirmPayment({ paid: before, listLedgers, hasLeft, wait })).toBe('taken');
  expect(listLedgers).toHaveBeenCalledTimes(3);
});

it('looks again where a look fails', async () => {
  const listLedgers = vi.fn(() => Promise.resolve(listLedgers.mock.calls.length < 2 ? undefined : after));
  expect(await confirmPayment({ paid: before, listLedgers, hasLeft, wait })).toBe('taken');
});

it('has an end', async () => {
  const listLedgers = vi.fn(() => Promise.resolve(before));
  expect(await confirmPayment({ paid: before, listLedgers, hasLeft, wait })).toBe('open');
  expect(listLedgers).toHaveBeenCalledTimes(30);
});

it('stops asking when the tenant leaves', async () => {
  const listLedgers = vi.fn(() => Promise.resolve(before));
  expect(await confirmPayment({ paid: before, listLedgers, hasLeft: () => true, wait })).toBe('open');
  expect(listLedgers).not.toHaveBeenCalled();
});
