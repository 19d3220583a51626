import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { GatewayUnknown, type ChargeRequest, type NewInstrument, type PaymentGateway } from './gateway.ts';

/** A gateway under test with numbers that make it behave, and its own word on what it captured. */
export type GatewayUnderTest = {
  gateway: PaymentGateway;
  card(behaviour: 'approve' | 'decline' | 'insufficientFunds' | 'declinedByAutopay' | 'noAnswer'): NewInstrument;
  account(): NewInstrument;
  /** What was captured or taken in for a reference, in cents, asked of the gateway's own books; null for nothing. */
  capturedCents(reference: string): Promise<number | null>;
  close(): Promise<void>;
};

/** The tests that every payment gateway passes (spec section 4, Payment method flow; safety D4, D5). */
export function describeGateway(name: string, open: () => Promise<GatewayUnderTest>): void {
  describe(`the ${name} gateway`, () => {
    let under: GatewayUnderTest;
    beforeAll(async () => {
      under = await open();
    });
    afterAll(() => under.close());

    const request = (instrument: ChargeRequest['instrument'], initiator: ChargeRequest['initiator'] = 'tenant') => ({
      reference: randomUUID(),
      amountCents: 21_450,
      instrument,
      initiator,
    });
    const soon = () => AbortSignal.timeout(10_000);

    test('captures a card', async () => {
      const asked = request(under.card('approve'));
      expect(await under.gateway.charge(asked, soon())).toEqual({ outcome: 'succeeded' });
      expect(await under.capturedCents(asked.reference)).toBe(21_450);
    });

    test('captures a reference once, however often it is asked, also at once', async () => {
      const asked = request(under.card('approve'));
      const answers = await Promise.all(Array.from({ length: 8 }, () => under.gateway.charge(asked, soon())));
      expect(answers).toEqual(Array.from({ length: 8 }, () => ({ outcome: 'succeeded' })));
      expect(await under.capturedCents(asked.reference)).toBe(21_450);
    });

    test('takes a bank debit in as pending', async () => {
      const asked = request(under.account());
      expect(await under.gateway.charge(asked, soon())).toEqual({ outcome: 'pending' });
      expect(await under.gateway.lookup(asked.reference)).toEqual({ outcome: 'pending' });
    });

    test.each(['decline', 'insufficientFunds'] as const)(
      'answers a card with %s in a sentence and captures nothing',
      async (behaviour) => {
        const asked = request(under.card(behaviour));
        const answer = await under.gateway.charge(asked, soon());
        expect(answer).toEqual({ outcome: 'declined', message: expect.stringMatching(/card .+\.$/) as string });
        expect(await under.capturedCents(asked.reference)).toBeNull();
        expect(await under.gateway.lookup(asked.reference)).toEqual(answer);
      },
    );

    test('does not answer in time though the charge happened: unknown, and the look-up finds it', async () => {
      const asked = request(under.card('noAnswer'));
      await expect(under.gateway.charge(asked, AbortSignal.timeout(300))).rejects.toBeInstanceOf(GatewayUnknown);
      expect(await under.gateway.lookup(asked.reference)).toEqual({ outcome: 'succeeded' });
      expect(await under.capturedCents(asked.reference)).toBe(21_450);
    });

    test('does not find a reference it never saw', async () => {
      expect(await under.gateway.lookup(randomUUID())).toEqual({ outcome: 'notFound' });
    });

    test('never charges a reference that was voided before it came', async () => {
      const asked = request(under.card('approve'));
      expect(await under.gateway.voidReference(asked.reference)).toEqual({ outcome: 'voided' });
      await expect(under.gateway.charge(asked, soon())).rejects.toBeInstanceOf(GatewayUnknown);
      expect(await under.capturedCents(asked.reference)).toBeNull();
    });

    test('does not void what was charged, but tells it', async () => {
      const asked = request(under.card('approve'));
      await under.gateway.charge(asked, soon());
      expect(await under.gateway.voidReference(asked.reference)).toEqual({ outcome: 'succeeded' });
      expect(await under.capturedCents(asked.reference)).toBe(21_450);
    });

    test('charges or voids when both come at once, never both', async () => {
      for (let round = 0; round < 10; round++) {
        const asked = request(under.card('approve'));
        const [charged, voided] = await Promise.all([
          under.gateway.charge(asked, soon()).catch(() => null),
          under.gateway.voidReference(asked.reference),
        ]);
        const isCaptured = (await under.capturedCents(asked.reference)) !== null;
        expect(charged?.outcome === 'succeeded').toBe(isCaptured);
        expect(voided.outcome).toBe(isCaptured ? 'succeeded' : 'voided');
      }
    });

    test('charges a saved card and a saved account by their tokens', async () => {
      const card = await under.gateway.saveMethod(under.card('approve'));
      const account = await under.gateway.saveMethod(under.account());
      expect(card.token).not.toBe(account.token);
      const byCard = await under.gateway.charge(request({ type: 'creditCard', token: card.token }), soon());
      const byAccount = await under.gateway.charge(request({ type: 'ach', token: account.token }), soon());
      expect([byCard.outcome, byAccount.outcome]).toEqual(['succeeded', 'pending']);
    });

    test('declines a token it does not know', async () => {
      const answer = await under.gateway.charge(request({ type: 'creditCard', token: 'nobody' }), soon());
      expect(answer.outcome).toBe('declined');
    });

    test('approves now and declines the autopay run for the card that is known for it', async () => {
      const { token } = await under.gateway.saveMethod(under.card('declinedByAutopay'));
      const now = await under.gateway.charge(request({ type: 'creditCard', token }), soon());
      const later = await under.gateway.charge(request({ type: 'creditCard', token }, 'autopay'), soon());
      expect([now.outcome, later.outcome]).toEqual(['succeeded', 'declined']);
    });
  });
}
