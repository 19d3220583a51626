import { describe, expect, it } from 'vitest';
import { z } from 'zod/mini';
import {
  asOffered,
  chargedMethod,
  digitsOf,
  emptyForm,
  groupDigits,
  hostedSchema,
  methodFields,
  type MethodForm,
  methodSchema,
  NEW_METHOD,
  normalized,
} from './method-form.ts';

const filled: MethodForm = {
  ...emptyForm(NEW_METHOD),
  creditCard: {
    cardType: 'Visa',
    cardNumber: '4242 4242 4242 4242',
    cardCvv: '123',
    expirationMonth: '04',
    expirationYear: '2028',
    name: ' Dana Reyes ',
    streetAddress: '',
    postalCode: '76020',
  },
};
const messages = (
  form: MethodForm,
  schemaOf: typeof methodSchema | typeof hostedSchema = methodSchema,
) => {
  const result = z.safeParse(schemaOf(form), normalized(form));
  return Object.fromEntries(
    (result.error?.issues ?? []).map(({ path, message }) => [path.join('.'), message]),
  );
};

describe('the payment method form', () => {
  it('sends a card without spaces and without an empty street', () => {
    expect(methodFields(filled, [])).toEqual({
      creditCard: {
        cardType: 'Visa',
        cardNumber: '4242424242424242',
        cardCvv: '123',
        expirationMonth: '04',
        expirationYear: '2028',
        name: 'Dana Reyes',
        postalCode: '76020',
      },
    });
  });

  it('sends a bank account without spaces and dashes', () => {
    const ach = {
      accountType: 'Consumer Savings',
      accountNumber: '000 123-456',
      routingNumber: '021 000 021',
    };
    expect(methodFields({ ...filled, type: 'ach', ach }, [])).toEqual({
      ach: {
        accountType: 'Consumer Savings',
        accountNumber: '000123456',
        routingNumber: '021000021',
      },
    });
  });

  // spec 5.66
  it('understands what was typed in full-width digits', () => {
    const card = {
      ...filled.creditCard,
      cardNumber: '４２４２ ４２４２－４２４２ ４２４２',
      cardCvv: '１２３',
    };
    expect(methodFields({ ...filled, creditCard: card }, []).creditCard).toMatchObject({
      cardNumber: '4242424242424242',
      cardCvv: '123',
    });
    expect(groupDigits('４２４２４')).toBe('4242 4');
    const ach = {
      accountType: 'Consumer Savings',
      accountNumber: '０００１２３\u2013４５６',
      routingNumber: '０２１ ０００ ０２１',
    };
    expect(methodFields({ ...filled, type: 'ach', ach }, []).ach).toMatchObject({
      accountNumber: '000123456',
      routingNumber: '021000021',
    });
  });

  it('sends a saved method by its id only', () => {
    const saved = [
      {
        paymentMethodId: 'm2',
        type: 'ach' as const,
        label: '',
        detail: '',
        lastFour: '6789',
        bringsFee: false,
      },
    ];
    expect(methodFields({ ...filled, source: 'm2' }, saved)).toEqual({
      ach: { paymentMethodId: 'm2' },
    });
    expect(messages(emptyForm('m2'))).toEqual({});
  });

  // spec 5.18, 5.19
  it('names every missing card field and leaves the street optional', () => {
    expect(messages(emptyForm(NEW_METHOD))).toEqual({
      'creditCard.cardType': 'Card type is required.',
      'creditCard.cardNumber': 'Card number must be 14 to 16 digits.',
      'creditCard.cardCvv': 'Security code must be 3 or 4 digits.',
      'creditCard.expirationMonth': 'Expiration month is required.',
      'creditCard.expirationYear': 'Expiration year is required.',
      'creditCard.name': 'Name on card is required.',
      'creditCard.postalCode': 'Billing zip is required.',
    });
  });

  it('asks only for a card’s holder and zip where the provider has the number', () => {
    expect(messages(emptyForm(NEW_METHOD), hostedSchema)).toEqual({
      'creditCard.name': 'Name on card is required.',
      'creditCard.postalCode': 'Billing zip is required.',
    });
    expect(messages({ ...emptyForm(NEW_METHOD), type: 'ach' }, hostedSchema)).toEqual({});
  });

  // spec 5.15, 5.63
  it('wants exactly nine digits of a routing number, whatever its checksum', () => {
    const ach = { accountType: 'Consumer Checking', accountNumber: '1', routingNumber: '12345678' };
    expect(messages({ ...filled, type: 'ach', ach })).toEqual({
      'ach.routingNumber': 'Routing number must be exactly 9 digits.',
    });
    expect(
      messages({ ...filled, type: 'ach', ach: { ...ach, routingNumber: 'ABCDEFGHI' } }),
    ).toEqual({ 'ach.routingNumber': 'Routing number must be exactly 9 digits.' });
    expect(
      messages({ ...filled, type: 'ach', ach: { ...ach, routingNumber: '123456789' } }),
    ).toEqual({});
  });
});

describe('a card number', () => {
  it('groups a card number in fours', () => {
    expect(groupDigits('4242424242424242')).toBe('4242 4242 4242 4242');
    expect(groupDigits('42424')).toBe('4242 4');
    expect(groupDigits('4242')).toBe('4242');
    expect(groupDigits('')).toBe('');
  });

  it('counts a chosen method that is no longer offered as a new one', () => {
    const saved = [
      {
        paymentMethodId: 'm1',
        type: 'ach' as const,
        label: '',
        detail: '',
        lastFour: '6789',
        bringsFee: false,
      },
    ];
    expect(asOffered(emptyForm('m1'), saved)).toEqual(emptyForm('m1'));
    expect(asOffered(emptyForm('m1'), [])).toEqual(emptyForm(NEW_METHOD));
    expect(messages(asOffered(emptyForm('m1'), []))).toHaveProperty(['creditCard.cardNumber']);
  });

  it('takes spaces and dashes and strips them', () => {
    expect(groupDigits(' 3782-822463 10005')).toBe('3782 8224 6310 005');
    expect(digitsOf('4242 4242-4242 4242')).toBe('4242424242424242');
  });
});

describe('the method of the consent', () => {
  const saved = [
    {
      paymentMethodId: 'm1',
      type: 'ach' as const,
      label: '',
      detail: '',
      lastFour: '6789',
      bringsFee: false,
    },
  ];

  it('names a saved method by its last four', () => {
    expect(chargedMethod(emptyForm('m1'), saved)).toEqual({
      method: 'ach',
      lastFour: '6789',
      bringsFee: false,
    });
  });

  it('names a new card once its number is there, and before that only that it is a card', () => {
    const form = emptyForm(NEW_METHOD);
    form.creditCard.cardNumber = '4242 4242';
    expect(chargedMethod(form, saved)).toEqual({ method: 'creditCard', bringsFee: true });
    form.creditCard.cardNumber = '4242 4242 4242 4242';
    expect(chargedMethod(form, saved)).toEqual({
      method: 'creditCard',
      lastFour: '4242',
      bringsFee: true,
    });
  });

  it('names a new bank account by what was typed of it', () => {
    const form = { ...emptyForm(NEW_METHOD), type: 'ach' as const };
    expect(chargedMethod(form, saved)).toEqual({ method: 'ach', bringsFee: false });
    form.ach.accountNumber = '000 123-456';
    expect(chargedMethod(form, saved)).toEqual({
      method: 'ach',
      lastFour: '3456',
      bringsFee: false,
    });
  });
});
