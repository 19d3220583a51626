import { expect, it } from 'vitest';
import { amountOptions, billingDetails, elementOptions, tokenizedFields } from './stripe.ts';
import { emptyForm, NEW_METHOD } from './method-form.ts';

const form = emptyForm(NEW_METHOD);
form.creditCard = {
  ...form.creditCard,
  name: ' Dana Reyes ',
  postalCode: '76020 ',
  streetAddress: ' 18 Heron Lane',
};

const card = { brand: 'visa', last4: '4242', exp_month: 4, exp_year: 2028 };
const us_bank_account = {
  last4: '6789',
  account_type: 'checking',
  account_holder_type: 'individual',
  routing_number: '110000000',
};

it('sends the token of a card with masked copies, and nothing that could be charged', () => {
  const token = { id: 'ctoken_1', payment_method_preview: { card } };
  expect(tokenizedFields(token, form, true)).toEqual({
    creditCard: {
      paymentToken: 'ctoken_1',
      keepForAutopay: true,
      cardType: 'visa',
      cardNumber: '************4242',
      expirationMonth: '04',
      expirationYear: '2028',
      name: 'Dana Reyes',
      postalCode: '76020',
    },
  });
});

it('sends the token of a bank account under its own name', () => {
  expect(
    tokenizedFields({ id: 'ctoken_2', payment_method_preview: { us_bank_account } }, form, true),
  ).toEqual({
    ach: {
      paymentToken: 'ctoken_2',
      keepForAutopay: true,
      accountType: 'individual checking',
      accountNumber: '************6789',
      routingNumber: '110000000',
    },
  });
});

it('lets nothing be kept of a card or bank account that pays once', () => {
  for (const preview of [{ card }, { us_bank_account }]) {
    const fields = tokenizedFields(
      { id: 'ctoken_3', payment_method_preview: preview },
      form,
      false,
    );
    expect(fields.creditCard ?? fields.ach).not.toHaveProperty('keepForAutopay');
  }
});

it('asks for what is due now in cents, or for later charges only', () => {
  expect(amountOptions(214.5)).toEqual({ mode: 'payment', amount: 21_450 });
  expect(amountOptions(0)).toEqual({ mode: 'setup' });
});

it('hands over holder and zip of a card, and has the provider ask for those of a bank account', () => {
  expect(billingDetails(form)).toEqual({
    name: 'Dana Reyes',
    address: { country: 'US', postal_code: '76020', line1: '18 Heron Lane' },
  });
  const payer = { firstName: 'Dana', lastName: 'Reyes', emailAddress: 'dana@example.com' };
  expect(elementOptions('creditCard', payer).fields.billingDetails.name).toBe('never');
  expect(elementOptions('ach', payer)).toMatchObject({
    defaultValues: { billingDetails: { name: 'Dana Reyes', email: 'dana@example.com' } },
    fields: { billingDetails: { name: 'auto' } },
  });
});
