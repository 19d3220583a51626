import { expect, it } from 'vitest';
import { chargedMethod } from './consent.tsx';
import { emptyForm, NEW_METHOD } from './method-form.ts';

const saved = [{ paymentMethodId: 'm1', type: 'ach' as const, label: '', detail: '', lastFour: '6789' }];

it('names a saved method by its last four', () => {
  expect(chargedMethod(emptyForm('m1'), saved)).toEqual({ method: 'ach', lastFour: '6789' });
});

it('names a new card once its number is there, and before that only that it is a card', () => {
  const form = emptyForm(NEW_METHOD);
  form.creditCard.cardNumber = '4242 4242';
  expect(chargedMethod(form, saved)).toEqual({ method: 'creditCard' });
  form.creditCard.cardNumber = '4242 4242 4242 4242';
  expect(chargedMethod(form, saved)).toEqual({ method: 'creditCard', lastFour: '4242' });
});

it('names a new bank account by what was typed of it', () => {
  const form = { ...emptyForm(NEW_METHOD), type: 'ach' as const };
  expect(chargedMethod(form, saved)).toEqual({ method: 'ach' });
  form.ach.accountNumber = '000 123-456';
  expect(chargedMethod(form, saved)).toEqual({ method: 'ach', lastFour: '3456' });
});
