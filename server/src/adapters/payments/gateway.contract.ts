import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fromNow } from '#test/test-day.ts';
import {
  GatewayUnknown,
  MethodDeclined,
  NotSent,
  type ChargeRequest,
  type GatewayDispute,
  type GatewayRefund,
  type NewInstrument,
  type PaymentGateway,
  type Transaction,
} from './gateway.ts';

/** The behaviours that the cards of a gateway under test can have. */
export type CardBehaviour =
  | 'approve'
  | 'decline'
  | 'hardDecline'
  | 'insufficientFunds'
  | 'declinedByAutopay'
  | 'noAnswer'
  | 'notSent';

/**
 * Actions in the gateway's own dashboard, by our reference of the charge and in cents; refunds and
 * disputes by the gateway's ids.
 */
export type Dashboard = {
  /** Returns the refund's id. */
  refund(chargeReference: string, cents: number): Promise<string>;
  /** The refund could not be paid out. */
  failRefund(id: string): Promise<void>;
  /** A cardholder disputes a payment, or opens an inquiry. Returns the dispute's id. */
  dispute(chargeReference: string, cents: number, how?: { isInquiry?: boolean }): Promise<string>;
  decide(id: string, standing: 'won' | 'lost'): Promise<void>;
};

/**
 * A gateway under test, the numbers or tokens that select a behaviour, and access to its records.
 */
export type GatewayUnderTest = {
  gateway: PaymentGateway;
  /** The tenant's customer id at the gateway, where it keeps customers. */
  customer?: string;
  card(behaviour: CardBehaviour): NewInstrument;
  account(): NewInstrument;
  /**
   * The amount captured or pending for a reference, in cents, from the gateway's own records; null
   * for none.
   */
  capturedCents(reference: string): Promise<number | null>;
  /** Where the gateway has records of saved methods: how many it keeps for later charges. */
  keptMethods?: () => Promise<number>;
  /** Times out once a charge of this reference has been captured without an answer. */
  silenceOf(reference: string): AbortSignal;
  dashboard: Dashboard;
  /**
   * Where a test can advance time: an account whose debit is returned, and the actions of the
   * banks.
   */
  /** Where the gateway lists payouts: advances time until every charge has been paid out. */
  payOut?: () => Promise<void>;
  banks?: {
    returnedAccount(): NewInstrument;
    code: string;
    pass(reference: string): Promise<void>;
  };
  close(): Promise<void>;
};

/** The tests that every payment gateway passes. */
export function describeGateway(name: string, open: () => Promise<GatewayUnderTest>): void {
  describe(`the ${name} gateway`, () => {
    let under: GatewayUnderTest;
    beforeAll(async () => {
      under = await open();
    });
    afterAll(() => under.close());

    const request = (
      instrument: ChargeRequest['instrument'],
      initiator: ChargeRequest['initiator'] = 'tenant',
    ): ChargeRequest => ({
      reference: randomUUID(),
      amountCents: 21_450,
      instrument,
      initiator,
      customer: under.customer ?? null,
    });
    const soon = () => AbortSignal.timeout(120_000);
    const where = () => ({
      customer: under.customer ?? null,
      since: fromNow(-60_000),
    });
    const lookup = (reference: string) => under.gateway.lookup(reference, where());
    const voidReference = (reference: string) => under.gateway.voidReference(reference, where());
    const save = (instrument: NewInstrument) =>
      under.gateway.saveMethod(instrument, under.customer ?? null);
    const refund = (
      chargeReference: string,
      amountCents: number,
      reference: string = randomUUID(),
    ) => under.gateway.refund({ reference, chargeReference, amountCents, where: where() });
    async function charged(instrument: ChargeRequest['instrument']): Promise<string> {
      const asked = request(instrument);
      await under.gateway.charge(asked, soon());
      return asked.reference;
    }

    describe('charging', () => {
      test('captures a card', async () => {
        const asked = request(under.card('approve'));
        expect(await under.gateway.charge(asked, soon())).toEqual({ outcome: 'succeeded' });
        expect(await under.capturedCents(asked.reference)).toBe(21_450);
      });

      test('captures a reference once, however often it is asked, also at once', async () => {
        const asked = request(under.card('approve'));
        const answers = await Promise.all(
          Array.from({ length: 8 }, () =>
            under.gateway.charge(asked, soon()).catch((error: unknown) => error),
          ),
        );
        // The result of a reference in progress may be unknown; it is never declined or charged
        // again.
        for (const answer of answers)
          if (!(answer instanceof GatewayUnknown)) expect(answer).toEqual({ outcome: 'succeeded' });
        expect(await under.gateway.charge(asked, soon())).toEqual({ outcome: 'succeeded' });
        expect(await under.capturedCents(asked.reference)).toBe(21_450);
      });

      test('accepts a bank debit as pending', async () => {
        const asked = request(under.account());
        expect(await under.gateway.charge(asked, soon())).toEqual({ outcome: 'pending' });
        expect(await lookup(asked.reference)).toEqual({ outcome: 'pending' });
      });

      test.each([
        ['decline', false],
        ['insufficientFunds', false],
        ['hardDecline', true],
      ] as const)(
        'answers a card with %s in a sentence and captures nothing; that it will never work: %s',
        async (behaviour, isHard) => {
          const asked = request(under.card(behaviour));
          const answer = await under.gateway.charge(asked, soon());
          expect(answer).toEqual({
            outcome: 'declined',
            message: expect.stringMatching(/card.*\.$/) as string,
            isHard,
          });
          expect(await under.capturedCents(asked.reference)).toBeNull();
          expect(await lookup(asked.reference)).toEqual(answer);
        },
      );

      test('does not answer in time though the charge happened: unknown, and the look-up finds it', async () => {
        const asked = request(under.card('noAnswer'));
        const silence = under.silenceOf(asked.reference);
        await expect(under.gateway.charge(asked, silence)).rejects.toBeInstanceOf(GatewayUnknown);
        expect(await lookup(asked.reference)).toEqual({ outcome: 'succeeded' });
        expect(await under.capturedCents(asked.reference)).toBe(21_450);
      });
    });

    test('reports that it rejected a charge: nothing is captured, and a look-up finds nothing', async () => {
      const asked = request(under.card('notSent'));
      await expect(under.gateway.charge(asked, soon())).rejects.toBeInstanceOf(NotSent);
      expect(await lookup(asked.reference)).toEqual({ outcome: 'notFound' });
      expect(await under.capturedCents(asked.reference)).toBeNull();
    });

    describe('looking up and voiding', () => {
      test('does not find a reference it never saw', async () => {
        expect(await lookup(randomUUID())).toEqual({ outcome: 'notFound' });
      });

      test('never charges a reference that was voided before it came', async () => {
        const asked = request(under.card('approve'));
        expect(await voidReference(asked.reference)).toEqual({ outcome: 'voided' });
        await expect(under.gateway.charge(asked, soon())).rejects.toBeInstanceOf(GatewayUnknown);
        expect(await under.capturedCents(asked.reference)).toBeNull();
        expect(await voidReference(asked.reference)).toEqual({ outcome: 'voided' });
      });

      test('does not void a reference that was charged, and returns its outcome', async () => {
        const reference = await charged(under.card('approve'));
        expect(await voidReference(reference)).toEqual({ outcome: 'succeeded' });
        expect(await under.capturedCents(reference)).toBe(21_450);
      });

      test('charges or voids when both come at once, never both', async () => {
        for (let round = 0; round < 10; round++) {
          const asked = request(under.card('approve'));
          const [answer, voided] = await Promise.all([
            under.gateway.charge(asked, soon()).catch(() => null),
            voidReference(asked.reference),
          ]);
          const isCaptured = (await under.capturedCents(asked.reference)) !== null;
          expect(answer?.outcome === 'succeeded').toBe(isCaptured);
          expect(voided.outcome).toBe(isCaptured ? 'succeeded' : 'voided');
        }
      });
    });

    describe('keeping methods', () => {
      test('charges a saved card and a saved account by their tokens', async () => {
        const card = await save(under.card('approve'));
        const account = await save(under.account());
        expect(card.token).not.toBe(account.token);
        const byCard = await under.gateway.charge(
          request({ type: 'creditCard', token: card.token }),
          soon(),
        );
        const byAccount = await under.gateway.charge(
          request({ type: 'ach', token: account.token }),
          soon(),
        );
        expect([byCard.outcome, byAccount.outcome]).toEqual(['succeeded', 'pending']);
      });

      // asvs 14.2.6
      test('returns the details that a tenant may see, never a whole number', async () => {
        const card = await save(under.card('approve'));
        const account = await save(under.account());
        expect(card.lastFour).toMatch(/^\d{4}$/);
        expect(card.expiresOn).toMatch(/^\d{4}-\d{2}$/);
        expect(card.routingLastFour).toBeNull();
        expect(account.lastFour).toMatch(/^\d{4}$/);
        expect(account.routingLastFour).toMatch(/^\d{4}$/);
        expect(account.expiresOn).toBeNull();
      });

      test('gives a card or account one fingerprint, however often it is entered, and another one to another', async () => {
        const describe = async (instrument: NewInstrument) =>
          (await under.gateway.describe(instrument)).fingerprint;
        const [card, account] = [
          await describe(under.card('approve')),
          await describe(under.account()),
        ];
        expect((await save(under.card('approve'))).fingerprint).toBe(card);
        expect((await save(under.account())).fingerprint).toBe(account);
        expect(await describe(under.card('approve'))).toBe(card);
        const other = await describe(under.card('insufficientFunds'));
        expect(new Set([card, account, other, null]).size).toBe(4);
      });

      test('keeps nothing of a card or account that pays without the consent to it', async ({
        skip,
      }) => {
        const { keptMethods } = under;
        if (keptMethods === undefined) return skip('this gateway has no records of methods');
        const before = await keptMethods();
        for (const instrument of [under.card('approve'), under.account()])
          await charged(instrument);
        expect(await keptMethods()).toBe(before);
        await save(under.card('approve'));
        expect(await keptMethods()).toBe(before + 1);
      });

      test('does not keep a card that it declines', async () => {
        await expect(save(under.card('decline'))).rejects.toBeInstanceOf(MethodDeclined);
      });

      test('declines a token it does not know', async () => {
        const unknown = { type: 'creditCard' as const, token: 'unknown' };
        expect((await under.gateway.charge(request(unknown), soon())).outcome).toBe('declined');
        await expect(under.gateway.describe(unknown)).rejects.toBeInstanceOf(MethodDeclined);
      });

      test('approves now and declines the autopay run for the card that is known for it', async () => {
        const { token } = await save(under.card('declinedByAutopay'));
        const now = await under.gateway.charge(request({ type: 'creditCard', token }), soon());
        const later = await under.gateway.charge(
          request({ type: 'creditCard', token }, 'autopay'),
          soon(),
        );
        expect([now.outcome, later.outcome]).toEqual(['succeeded', 'declined']);
      });
    });

    describe('refunding', () => {
      test('gives back once for a reference, however often it is asked', async () => {
        const charge = await charged(under.card('approve'));
        const reference = randomUUID();
        expect(await refund(charge, 20_000, reference)).toEqual({ outcome: 'succeeded' });
        expect(await refund(charge, 20_000, reference)).toEqual({ outcome: 'succeeded' });
        expect(await refund(charge, 1450)).toEqual({ outcome: 'succeeded' });
      });

      test('gives back no more than is left', async () => {
        const charge = await charged(under.card('approve'));
        await refund(charge, 21_000);
        expect(await refund(charge, 451)).toMatchObject({ outcome: 'failed' });
      });
    });

    describe('listing what went back', () => {
      const window = () => ({ from: fromNow(-5000), to: fromNow(5000) });
      const of = (chargeReference: string) => ({ chargeReference, where: where() });
      async function all<Kind extends GatewayRefund | GatewayDispute>(
        listed: AsyncIterable<Kind>,
      ): Promise<Kind[]> {
        const found: Kind[] = [];
        for await (const one of listed) found.push(one);
        return found;
      }

      test('has refunds that were asked for here under our reference, and those of its dashboard under none', async () => {
        const [charge, other] = [
          await charged(under.card('approve')),
          await charged(under.card('approve')),
        ];
        const reference = randomUUID();
        await refund(charge, 1000, reference);
        const id = await under.dashboard.refund(charge, 450);
        await refund(other, 100);
        const listed = (await all(under.gateway.listRefunds(of(charge)))).toSorted(byCents);
        expect(listed).toEqual([
          {
            id,
            reference: null,
            chargeReference: charge,
            amountCents: 450,
            outcome: 'succeeded',
            at: expect.any(Date),
          },
          {
            id: expect.any(String) as string,
            reference,
            chargeReference: charge,
            amountCents: 1000,
            outcome: 'succeeded',
            at: expect.any(Date),
          },
        ]);
        const within = await all(under.gateway.listRefunds(window()));
        expect(
          within.filter(({ chargeReference }) => chargeReference === charge).toSorted(byCents),
        ).toEqual(listed);
        const { from } = window();
        const before = await all(
          under.gateway.listRefunds({ from: new Date(from.getTime() - 60_000), to: from }),
        );
        expect(before.some((one) => one.chargeReference === charge)).toBe(false);
      });

      test('reports a refund that failed later, and refunds the same money again', async () => {
        const charge = await charged(under.card('approve'));
        const id = await under.dashboard.refund(charge, 21_450);
        await under.dashboard.failRefund(id);
        expect(await all(under.gateway.listRefunds(of(charge)))).toMatchObject([
          { id, outcome: 'failed' },
        ]);
        expect(await refund(charge, 21_450)).toEqual({ outcome: 'succeeded' });
      });

      test('has disputes as they are, with the day until which evidence is taken', async () => {
        const charge = await charged(under.card('approve'));
        const id = await under.dashboard.dispute(charge, 20_000);
        const opened = {
          id,
          chargeReference: charge,
          amountCents: 20_000,
          standing: 'opened',
          evidenceDueAt: expect.any(Date) as Date,
          at: expect.any(Date) as Date,
        };
        expect(await all(under.gateway.listDisputes(of(charge)))).toEqual([opened]);
        for (const standing of ['lost', 'won'] as const) {
          await under.dashboard.decide(id, standing);
          const within = await all(under.gateway.listDisputes(window()));
          expect(within.filter((one) => one.chargeReference === charge)).toEqual([
            { ...opened, standing },
          ]);
        }
      });

      test('distinguishes an inquiry from a dispute', async () => {
        const charge = await charged(under.card('approve'));
        await under.dashboard.dispute(charge, 20_000, { isInquiry: true });
        expect(await all(under.gateway.listDisputes(of(charge)))).toMatchObject([
          { standing: 'inquiry' },
        ]);
      });

      test('has nothing of a charge that it never saw', async () => {
        expect(await all(under.gateway.listRefunds(of(randomUUID())))).toEqual([]);
        expect(await all(under.gateway.listDisputes(of(randomUUID())))).toEqual([]);
      });
    });

    test('lists what it charged or took in, in the order of the instants', async () => {
      const from = fromNow(-5000);
      const references = [
        await charged(under.card('approve')),
        await charged(under.account()),
        await charged(under.card('approve')),
      ];
      const declined = await charged(under.card('decline'));
      const listed: Transaction[] = [];
      for await (const one of under.gateway.listTransactions(from, fromNow(5000))) listed.push(one);
      const own = listed.filter(({ reference }) => references.includes(reference));
      expect(own.map(({ reference }) => reference).toSorted()).toEqual(references.toSorted());
      expect(own.map(({ amountCents }) => amountCents)).toEqual([21_450, 21_450, 21_450]);
      const standings = new Map(own.map(({ reference, standing }) => [reference, standing]));
      expect(references.map((reference) => standings.get(reference))).toEqual([
        'succeeded',
        'pending',
        'succeeded',
      ]);
      expect(
        listed.some(({ reference, standing }) => reference === declined && standing !== 'declined'),
      ).toBe(false);
      const instants = listed.map(({ at }) => at.getTime());
      expect(instants).toEqual(instants.toSorted((a, b) => a - b));
    });

    test('returns the banks’ outcome of a debit, however often it is asked', async ({ skip }) => {
      const { banks } = under;
      if (banks === undefined) return skip('this gateway’s banks cannot be hurried');
      const good = await charged(under.account());
      const bad = await charged(banks.returnedAccount());
      for (const reference of [good, bad]) await banks.pass(reference);
      for (let round = 0; round < 2; round++) {
        expect(await lookup(good)).toEqual({ outcome: 'settled' });
        expect(await lookup(bad)).toEqual({ outcome: 'returned', code: banks.code });
      }
    });

    test('lists each charge in one payout, once it is paid out, and none that came back', async ({
      skip,
    }) => {
      const { gateway, payOut, banks } = under;
      if (payOut === undefined || banks === undefined) return skip('this gateway lists no payouts');
      const good = [await charged(under.card('approve')), await charged(under.account())];
      const bad = [await charged(under.card('decline')), await charged(banks.returnedAccount())];
      await refund(good[0]!, 100);
      const from = fromNow(-60_000);
      const paidOut = async (to: Date) => {
        const references: string[] = [];
        for await (const payout of gateway.listPayouts!(from, to)) {
          expect(payout).toMatchObject({ id: expect.any(String) as string, standing: 'paid' });
          expect(payout.arrivesOn).toMatch(/^\d{4}-\d{2}-\d{2}$/);
          for await (const reference of payout.references())
            if ([...good, ...bad].includes(reference)) references.push(reference);
        }
        return references.toSorted();
      };
      const later = fromNow(30 * 86_400_000);
      expect(await paidOut(later)).toEqual([]);
      await payOut();
      for (let round = 0; round < 2; round++) expect(await paidOut(later)).toEqual(good.toSorted());
      expect(await paidOut(from)).toEqual([]);
    });
  });
}

function byCents(a: GatewayRefund, b: GatewayRefund): number {
  return a.amountCents - b.amountCents;
}
