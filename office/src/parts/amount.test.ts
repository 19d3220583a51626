import { describe, expect, it } from 'vitest';
import { amountFault, parseAmount } from './amount.ts';

describe('an amount that is typed', () => {
  it('takes dollars with or without cents, sign and thousands commas', () => {
    expect(parseAmount('214.5')).toBe(214.5);
    expect(parseAmount(' $1,214.50 ')).toBe(1214.5);
    expect(parseAmount('＄１，２１４．５０')).toBe(1214.5);
    expect(parseAmount('1214')).toBe(1214);
  });

  it('refuses what is no amount to the cent', () => {
    for (const text of ['', 'ten', '1.234', '-5', '1e3', '12,34,567', '.5', '1,21'])
      expect(parseAmount(text), text).toBeNull();
  });

  it('says how to write cents that were typed with a comma', () => {
    expect(amountFault('12,50')).toBe('Write the cents with a point, such as 12.50.');
    expect(amountFault('0')).toBe('The amount must be above 0.');
    expect(amountFault(undefined)).toBe('Enter an amount.');
    expect(amountFault('12.50')).toBeUndefined();
  });
});
