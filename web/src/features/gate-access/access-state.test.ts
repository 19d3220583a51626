import { describe, expect, it } from 'vitest';
import { accessState, lockedOutWords } from './access-state.ts';

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

describe('what a locked-out tenant reads', () => {
  it('is the specification’s sentence, and with a call also what paying does', () => {
    const words = (daysPastDue: number, isOverlocked = false) =>
      lockedOutWords({ balance: 450, daysPastDue }, { isOverlocked });
    expect(words(13)).toBe('Balance Due!');
    expect(words(14)).toBe('Please call facility to resolve! Or pay $450.00 to open the gate.');
    expect(words(14, true)).toBe('Please call facility to resolve!');
  });
});
