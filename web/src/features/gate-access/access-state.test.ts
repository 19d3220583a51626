import { describe, expect, it } from 'vitest';
import { accessState } from './access-state.ts';

const gate = { unitId: 'a', timeZone: 'Business Hours' };

describe('what a gate is to its tenant', () => {
  it('is open with a code, also while something is owed', () => {
    expect(accessState({ ...gate, accessCode: '4821#' }, { balance: 20 })).toBe('open');
  });

  it('is hidden where a passkey has to confirm first, also while something is owed', () => {
    expect(accessState({ ...gate, needsConfirm: true }, { balance: 20 })).toBe('hidden');
  });

  it('is locked while something is owed, and by staff whatever is owed', () => {
    expect(accessState(gate, { balance: 20 })).toBe('locked');
    expect(accessState({ ...gate, isOverlocked: true }, { balance: 20 })).toBe('overlocked');
    expect(accessState({ ...gate, isOverlocked: true }, { balance: 0 })).toBe('overlocked');
  });

  it('waits for a bank payment that has not settled', () => {
    const waitsForSettlement = { date: '2026-11-25', sentence: 'Your bank payment is on its way.' };
    expect(accessState({ ...gate, waitsForSettlement }, { balance: 0 })).toBe('waiting');
  });

  it('has no code where nothing is owed and none was set', () => {
    expect(accessState(gate, { balance: 0 })).toBe('none');
  });
});
