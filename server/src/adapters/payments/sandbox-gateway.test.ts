import { openTestApp } from '../../../test/app.ts';
import type { NewInstrument } from './gateway.ts';
import { describeGateway } from './gateway.contract.ts';
import { createSandboxGateway, sandboxNumbers } from './sandbox-gateway.ts';

const numbers = {
  approve: '4242424242424242',
  decline: sandboxNumbers.declined,
  insufficientFunds: sandboxNumbers.insufficientFunds,
  declinedByAutopay: sandboxNumbers.declinedByAutopay,
  noAnswer: sandboxNumbers.noAnswer,
};

describeGateway('sandbox', async () => {
  const test = await openTestApp('empty_template');
  return {
    gateway: createSandboxGateway(test.ctx.db),
    card: (behaviour): NewInstrument => ({
      type: 'creditCard',
      card: {
        cardType: 'Visa',
        cardNumber: numbers[behaviour],
        cardCvv: '123',
        expirationMonth: '04',
        expirationYear: '2029',
        name: 'Dana Reyes',
        postalCode: '76020',
      },
    }),
    account: () => ({
      type: 'ach',
      account: { accountType: 'Consumer Checking', accountNumber: '000123456789', routingNumber: '110000000' },
    }),
    async capturedCents(reference) {
      const row = await test.owner
        .selectFrom('sandbox_gateway.charges')
        .select('amount_cents')
        .where('reference', '=', reference)
        .where('outcome', 'in', ['captured', 'accepted'])
        .executeTakeFirst();
      return row?.amount_cents ?? null;
    },
    close: () => test.close(),
  };
});
