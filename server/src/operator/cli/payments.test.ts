import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { GatewayUnknown } from '#adapters/payments/gateway.ts';
import { post } from '#features/base/ledgers/books.ts';
import { getPostedPayment } from '#features/base/ledgers/postings.fixture.ts';
import { readBooks, writePostings } from '#features/base/ledgers/postings.ts';
import { getReceiptOfEntry } from '#features/base/papers/receipts.ts';
import { findPayments } from '#features/money/payments/history.ts';
import { refundPayment } from '#features/money/payments/refunds.fixture.ts';
import { resolveOpenRefunds } from '#features/money/payments/refunds.ts';
import { notifyOfPayments } from '#features/money/payments/notify.ts';
import { reconcileDay } from '#features/money/reconciliation/reconciliation.ts';
import {
  makeCorporation,
  makeFacility,
  makeLedger,
  makeTenant,
  postCharges,
  postPastPayments,
} from '#seeds/builders.ts';
import { useTestApp } from '#test/app.ts';
import { readMails } from '#test/mails.ts';
import { expectSoundBooks } from '#test/books.ts';
import { cliOf, words } from '#test/cli.ts';
import { fromNow, testClock } from '#test/test-day.ts';
import { addRows, findRows, getRow } from '#test/rows.ts';
import { expectOneDone } from '#test/at-once.ts';

const api = useTestApp('empty_template');
let facilityId: string;
let tenantId: string;
let ledgerId: string;
let otherId: string;

beforeAll(async () => {
  const corporation_id = await makeCorporation(api.owner);
  facilityId = await makeFacility(api.owner, { corporation_id, return_fee_cents: 3500 });
  await makeFacility(api.owner, { corporation_id, location_code: 'AZPHX01' });
});
beforeEach(async () => {
  tenantId = await makeTenant(api.owner, { facility_id: facilityId });
  [ledgerId, otherId] = [await owing(20_000), await owing(5000)];
  await api.owner.deleteFrom('mails').execute();
});

/** A rental that owes a fee of so many cents. */
async function owing(priceCents: number, tenant_id = tenantId): Promise<string> {
  const unit = { facility_id: facilityId, name: randomUUID().slice(0, 8) };
  const made = await makeLedger(api.owner, api.ctx.vault, { tenant_id, unit });
  const fee = {
    category: 'fee' as const,
    description: 'Cleaning',
    dueOn: '2026-11-19',
    priceCents,
  };
  if (priceCents > 0) await postCharges(api.owner, made.ledgerId, [fee]);
  return made.ledgerId;
}

const cli = cliOf(api, 'payments');
const credits = cliOf(api, 'credits');
const charges = cliOf(api, 'charges');
/** The one charge of a rental. */
const chargeOf = async (id: string) =>
  (await getRow(api.owner, 'charges', 'entry_id', { ledger_id: id })).entry_id;
const record = (amount: string, ...more: string[]) =>
  cli('record', '--ledger', ledgerId, otherId, '--amount', amount, ...more);
const balances = async () => {
  const rows = await findRows(api.owner, 'ledgers', ['id', 'balance_cents'], {
    id: [ledgerId, otherId],
  });
  return [ledgerId, otherId].map((id) => rows.find((row) => row.id === id)!.balance_cents);
};
const events = () =>
  findRows(api.owner, 'audit_events', ['kind', 'details'], { tenant_id: tenantId });
const mails = () => readMails(api);
type Recorded = { receiptNumber: string; payments: { receiptNumber: string; amount: number }[] };
const recorded = async (amount: string, ...more: string[]) =>
  JSON.parse(await record(amount, ...more, '--json')) as Recorded;

/** A payment of the whole of a ledger's debt that our gateway took. */
async function paidByCard(id: string): Promise<string> {
  const charges = await api.owner
    .selectFrom('open_charges')
    .select(['entry_id as id', 'owed_cents as cents'])
    .where('ledger_id', '=', id)
    .execute();
  await postPastPayments(api.owner, [{ tenantId, ledgerId: id, paidOn: '2026-11-20', charges }]);
  const { receipt_number } = await getRow(api.owner, 'payments', 'receipt_number', {
    ledger_id: id,
  });
  return receipt_number;
}

describe('payments record', () => {
  test('spreads a check over the rentals in their order under one receipt, as its preview says, once under a key', async () => {
    expect(await recorded('220', '--type', 'check', '--number', '1042', '--dry-run')).toMatchObject(
      {
        dryRun: true,
        receiptNumber: null,
        ledgers: [{ balance: 0 }, { balance: 30 }],
      },
    );
    expect([await balances(), await events(), await mails()]).toEqual([[20_000, 5000], [], []]);
    const key = randomUUID();
    const paid = await recorded('220', ...words`--type check --number 1042 --key ${key} --by Ana`);
    expect(
      await recorded('220', '--type', 'check', '--number', '1042', '--key', key, '--by', 'Ana'),
    ).toEqual(paid);
    expect(paid).toMatchObject({
      payments: [
        { ledgerId, amount: 200, receiptNumber: `${paid.receiptNumber}-1` },
        { ledgerId: otherId, amount: 20, receiptNumber: `${paid.receiptNumber}-2` },
      ],
      ledgers: [{ balance: 0 }, { balance: 30 }],
    });
    expect(await events()).toMatchObject([
      { details: { verb: 'payments.record', by: 'Ana', receipt: paid.receiptNumber } },
      { details: { verb: 'payments.record', by: 'Ana' } },
    ]);
    await expectSoundBooks(api.owner);
  });

  test('by cash and by money order has a receipt, which is mailed once, and stands in the history', async () => {
    const cash = await recorded('10', '--type', 'cash');
    const order = await recorded('5', '--type', 'moneyOrder', '--number', '77');
    await notifyOfPayments(api.ctx);
    expect((await mails()).map(({ subject }) => subject)).toEqual([
      expect.stringContaining(`Receipt ${cash.receiptNumber} for unit`),
      expect.stringContaining(`Receipt ${order.receiptNumber} for unit`),
    ]);
    expect(await findPayments(api.owner, [tenantId], ledgerId)).toMatchObject([
      {
        paymentTypeDescription: 'Money order 77',
        amount: 5,
        receiptNumber: order.receiptNumber,
        takenBack: null,
      },
      { paymentTypeDescription: 'Cash', amount: 10, receiptNumber: cash.receiptNumber },
    ]);
    const { entry_id } = await getRow(api.owner, 'payments', 'entry_id', {
      receipt_number: cash.receiptNumber,
    });
    expect(await getReceiptOfEntry(api.owner, entry_id)).toMatchObject({
      method: 'Cash',
      owedBeforeCents: 20_000,
      owedAfterCents: 19_000,
    });
  });

  test('of more than is owed in all is refused with the sum, and prepaid leaves a credit on the first rental', async () => {
    await expect(record('250.01', '--type', 'cash')).rejects.toThrow('$250.00 is owed in all.');
    expect(await balances()).toEqual([20_000, 5000]);
    expect(await recorded('260', '--type', 'cash', '--prepaid')).toMatchObject({
      payments: [{ amount: 210 }, { amount: 50 }],
    });
    expect(await balances()).toEqual([-1000, 0]);
    await expectSoundBooks(api.owner);
  });

  describe('that ends before its answer', () => {
    const args = () => words`record --ledger ${ledgerId} ${otherId} --amount 100 --type cash`;
    /** The key that the last sentence names; the payment is recorded once under it. */
    async function expectOnceUnderKey(sentence: string) {
      const key = /; run it again with --key (\S+), under which it is done once\.$/.exec(
        sentence.trimEnd(),
      )![1]!;
      for (let round = 0; round < 2; round++) await cli(...args(), '--key', key);
      expect(await balances()).toEqual([10_000, 5000]);
    }

    test('because it loses the database names its key', async () => {
      await api.sql`
        CREATE FUNCTION end_connection() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN RAISE 'terminating connection' USING ERRCODE = 'admin_shutdown'; END $$;
        CREATE TRIGGER ends BEFORE INSERT ON staff_actions FOR EACH ROW EXECUTE FUNCTION end_connection()`;
      const failure = await cli(...args()).catch((error: unknown) => error);
      await api.sql`DROP TRIGGER ends ON staff_actions; DROP FUNCTION end_connection`;
      const { message } = failure as Error;
      expect(message).toMatch(
        /^The database went away meanwhile \(.+\)\. What was done stays done; /,
      );
      await expectOnceUnderKey(message);
    });
  });

  test('by two members of staff at once takes each debt once', async () => {
    await expectOneDone([
      record('250', '--type', 'cash'),
      record('250', '--type', 'check', '--number', '7'),
    ]);
    expect(await balances()).toEqual([0, 0]);
    await expectSoundBooks(api.owner);
  });

  test('beside a payment that is being confirmed takes what is left after it, and names it', async () => {
    const intent = await api.owner
      .insertInto('payment_intents')
      .values({
        tenant_id: tenantId,
        user_id: null,
        type: 'creditCard',
        method_description: 'Visa ending in 4242',
        amount_cents: 15_000,
        state: 'unknown',
        debt_key: Buffer.from(randomUUID()),
        attempt: 1,
        idempotency_key: null,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    const part = {
      intent_id: intent.id,
      ledger_id: ledgerId,
      amount_cents: 15_000,
      state: 'unknown' as const,
    };
    await addRows(api.owner, 'payment_intent_ledgers', part);
    await expect(record('100.01', '--type', 'cash')).rejects.toThrow(
      '$100.00 is owed in all, beside a payment of $150.00 by Visa ending in 4242 that is being confirmed.',
    );
    await record('100', '--type', 'cash');
    expect(await balances()).toEqual([15_000, 0]);
    for (const state of ['payment_intent_ledgers', 'payment_intents'] as const)
      await api.sql`UPDATE ${sql.table(state)} SET state = 'never_sent' WHERE state = 'unknown'`;
  });

  test.each([
    ['no way of paying', ['10'], "required option '--type <choice>' not specified"],
    [
      'a check without a fitting number',
      ['10', '--type', 'check', '--number', '4242424242424242'],
      'Number is too long.',
    ],
    ['three decimals', ['1.005', '--type', 'cash'], 'Amount must have at most two decimals.'],
    ['cash that has a number', ['10', '--type', 'cash', '--number', '7'], 'and cash has none'],
    ['another facility', ['10', '--type', 'cash', '--facility', 'AZPHX01'], 'There is no rental'],
  ])(
    'with %s is refused in a sentence, and writes nothing',
    async (_, [amount = '', ...more], sentence) => {
      await expect(record(amount, ...more)).rejects.toThrow(sentence);
      expect([await balances(), await events()]).toEqual([[20_000, 5000], []]);
    },
  );

  test('for the rentals of two tenant records is refused', async () => {
    const foreign = await owing(1000, await makeTenant(api.owner, { facility_id: facilityId }));
    await expect(
      cli('record', '--ledger', ledgerId, foreign, '--type', 'cash', '--amount', '5'),
    ).rejects.toThrow('the rentals of one tenant record only');
  });

  test('is nothing that the gateway could list or refund', async () => {
    const paid = await recorded('10', '--type', 'cash');
    const hourAgo = (hours: number) => fromNow(-hours * 3_600_000);
    await api.sql`UPDATE payment_intents SET created_at = ${hourAgo(1)} WHERE receipt_number = ${paid.receiptNumber}`;
    const { found } = await reconcileDay(api.ctx, hourAgo(2), hourAgo(0.5));
    expect(found.ledger_only).toBe(0);
    const { entry_id } = await getRow(api.owner, 'payments', 'entry_id', {
      receipt_number: paid.receiptNumber,
    });
    await expect(
      refundPayment(api.ctx, { paymentEntryId: entry_id, cents: 100, reason: 'x' }),
    ).rejects.toThrow('A refund must be');
  });
});

describe('payments reverse', () => {
  test('--nsf takes a bounced check back with the facility’s fee, once, and mails the tenant', async () => {
    const { receiptNumber } = await recorded('220', '--type', 'check', '--number', '1042');
    await api.owner.deleteFrom('mails').execute();
    const bounced = ['reverse', '--receipt-number', receiptNumber, '--reason', 'nsf'];
    const preview = await cli(...bounced, '--dry-run', '--json');
    expect([await balances(), await mails()]).toEqual([[0, 3000], []]);
    const key = randomUUID();
    const answer = await cli(...bounced, '--key', key, '--json');
    expect(await cli(...bounced, '--key', key, '--json')).toBe(answer);
    for (const said of [preview, answer])
      expect(JSON.parse(said)).toMatchObject({
        amount: 220,
        fee: 35,
        ledgers: [{ balance: 235 }, { balance: 50 }],
      });
    expect(await balances()).toEqual([23_500, 5000]);
    const [mail, ...others] = await mails();
    expect(others).toEqual([]);
    expect(mail).toMatchObject({ subject: 'Your bank returned your payment of $220.00' });
    expect(mail!.text).toContain('Returned check fee: $35.00');
    await expect(
      cli('reverse', '--receipt-number', receiptNumber, '--reason', 'nsf'),
    ).rejects.toThrow('Nothing is left of receipt');
    expect((await findPayments(api.owner, [tenantId], ledgerId))[0]).toMatchObject({
      takenBack: { amount: 200, sentence: 'The payment was returned by the bank.' },
    });
    await expectSoundBooks(api.owner);
  });

  test('--mistake takes the rest back of which an import took a part back as a mistake', async () => {
    const { receiptNumber } = await recorded('100', '--type', 'cash');
    const { entry_id: id } = await getRow(api.owner, 'payments', 'entry_id', {
      receipt_number: receiptNumber,
    });
    const payment = await getPostedPayment(api.owner, id);
    const [books] = await readBooks(api.owner, [payment.ledgerId]);
    const part = {
      kind: 'reversal' as const,
      id: randomUUID(),
      payment,
      cents: 4000,
      reason: 'mistake' as const,
    };
    const at = { instant: testClock.now(), dayOf: () => '2026-11-20' };
    await writePostings(api.owner, at, [
      post(books!, [{ ...part, description: 'Mistake' }]).posting,
    ]);
    await api.sql`INSERT INTO drawer_entries (entry_id, facility_id, deposit_on, type, cents)
      SELECT ${part.id}, facility_id, deposit_on, type, -4000 FROM drawer_entries WHERE entry_id = ${id}`;
    expect(
      JSON.parse(
        await cli('reverse', '--receipt-number', receiptNumber, '--reason', 'mistake', '--json'),
      ),
    ).toMatchObject({
      amount: 60,
    });
    await expectSoundBooks(api.owner);
  });

  test('by two members of staff at once takes it back once', async () => {
    const { receiptNumber } = await recorded('100', '--type', 'check', '--number', '1042');
    await expectOneDone([
      cli('reverse', '--receipt-number', receiptNumber, '--reason', 'nsf'),
      cli('reverse', '--receipt-number', receiptNumber, '--reason', 'mistake'),
    ]);
    await expectSoundBooks(api.owner);
  });

  test('--mistake takes back one rental’s part by its number, or the rest by the payment’s', async () => {
    const { receiptNumber } = await recorded('220', '--type', 'cash');
    await api.owner.deleteFrom('mails').execute();
    await cli('reverse', '--receipt-number', `${receiptNumber}-2`, '--reason', 'mistake');
    expect(await balances()).toEqual([0, 5000]);
    await cli('reverse', '--receipt-number', receiptNumber, '--reason', 'mistake');
    expect(await balances()).toEqual([20_000, 5000]);
    const [one, rest, ...others] = (await mails()).map(({ text }) => text);
    expect(one).toMatch(/Unit .+: Recorded by mistake: \$20\.00\nBalance of unit .+: \$50\.00/);
    expect(rest).toMatch(/Unit .+: Recorded by mistake: \$200\.00\nBalance of unit .+: \$200\.00/);
    expect(others).toEqual([]);
    await expectSoundBooks(api.owner);
  });

  const movedAlarms = async () => {
    const rows = await findRows(api.owner, 'alarms', 'sentence', { kind: 'returned_after_refund' });
    const from = await unitName(ledgerId);
    return rows.map(({ sentence }) => sentence).filter((sentence) => sentence.includes(from));
  };
  const unitName = async (id: string) => {
    const unit = api.owner
      .selectFrom('ledgers')
      .innerJoin('units', 'units.id', 'unit_id')
      .select('name');
    return (await unit.where('ledgers.id', '=', id).executeTakeFirstOrThrow()).name;
  };

  test('lets the rental owe what of a bounced check was moved on, and names where it went', async () => {
    const { receiptNumber } = await recorded('260', ...words`--type check --number 1042 --prepaid`);
    await credits('move', '--from-ledger', ledgerId, '--to-ledger', otherId, '--amount', '4');
    await api.owner.deleteFrom('mails').execute();
    const bounced = ['reverse', '--receipt-number', receiptNumber, '--reason', 'nsf'];
    expect(JSON.parse(await cli(...bounced, '--dry-run', '--json'))).toMatchObject({
      amount: 260,
      fee: 35,
      ledgers: [{ balance: 239 }, { balance: 46 }],
    });
    expect(await movedAlarms()).toEqual([]);
    await cli('reverse', '--receipt-number', receiptNumber, '--reason', 'nsf');
    expect(await balances()).toEqual([23_900, 4600]);
    const [from, to] = [await unitName(ledgerId), await unitName(otherId)];
    expect(await movedAlarms()).toEqual([
      `$260.00 of receipt ${receiptNumber} went back, of which $4.00 had left it before: unit ${from} owes $4.00 again (Moved to unit ${to} before it was taken back).`,
    ]);
    const subjects = (await mails()).map(({ subject }) => subject);
    expect(subjects).toContain('Your bank returned your payment of $260.00');
    await expect(
      cli('reverse', '--receipt-number', receiptNumber, '--reason', 'nsf'),
    ).rejects.toThrow('Nothing is left of receipt');
    await expectSoundBooks(api.owner);
  });

  test('of a payment that was moved on wholly lets the rental owe it, once', async () => {
    const { receiptNumber } = await recorded('200', '--type', 'check', '--number', '1042');
    const id = await chargeOf(ledgerId);
    await charges('waive', '--charge', id);
    await credits('move', '--from-ledger', ledgerId, '--to-ledger', otherId, '--amount', '150');
    await credits('move', '--from-ledger', ledgerId, '--to-ledger', otherId, '--amount', '50');
    await expectOneDone(
      [1, 2].map(() => cli('reverse', '--receipt-number', receiptNumber, '--reason', 'mistake')),
    );
    await expect(
      cli('reverse', '--receipt-number', receiptNumber, '--reason', 'nsf'),
    ).rejects.toThrow('Nothing is left of receipt');
    expect(await balances()).toEqual([20_000, -15_000]);
    expect(await movedAlarms()).toEqual([
      expect.stringMatching(/\$50\.00 again .+ \$150\.00 again/),
    ]);
    await expectSoundBooks(api.owner);
  });

  test('by a chargeback lets the rental owe what was moved on, which a won dispute gives back, and names where it went', async () => {
    const receiptNumber = await paidByCard(ledgerId);
    const id = await chargeOf(ledgerId);
    await charges('waive', '--charge', id, '--amount', '30');
    await credits('move', '--from-ledger', ledgerId, '--to-ledger', otherId, '--amount', '30');
    expect(
      JSON.parse(
        await cli('reverse', '--receipt-number', receiptNumber, '--reason', 'chargeback', '--json'),
      ),
    ).toMatchObject({ amount: 200 });
    expect(await balances()).toEqual([20_000, 2000]);
    expect((await movedAlarms())[0]).toContain('owes $30.00 again');
    await expectSoundBooks(api.owner);
  });

  test('--chargeback takes a card payment back; of the gateway’s own a mistake is refused', async () => {
    const receiptNumber = await paidByCard(ledgerId);
    await expect(
      cli('reverse', '--receipt-number', receiptNumber, '--reason', 'mistake'),
    ).rejects.toThrow('refund it.');
    await expect(
      cli('reverse', '--receipt-number', receiptNumber, '--reason', 'nsf'),
    ).rejects.toThrow('Only a check or money order can bounce');
    await cli('reverse', '--receipt-number', receiptNumber, '--reason', 'chargeback', '--dry-run');
    expect(await mails()).toEqual([]);
    const key = randomUUID();
    for (let round = 0; round < 2; round++)
      await cli(
        ...words`reverse --receipt-number ${receiptNumber} --reason chargeback --key ${key}`,
      );
    expect(await balances()).toEqual([20_000, 5000]);
    const [mail, ...others] = await mails();
    expect(mail!.subject).toMatch(/^Unit .+: pay \$200\.00 to open the gate$/);
    expect(mail!.text).toMatch(/Unit .+: Chargeback: \$200\.00\nBalance of unit .+: \$200\.00/);
    expect(others).toEqual([]);
    await expectSoundBooks(api.owner);
  });

  test('--mistake takes a pending bank debit back whole that the gateway, which is asked first, does not have', async () => {
    const receipt = await paidByCard(ledgerId);
    await api.sql`ALTER TABLE payment_intents DISABLE TRIGGER payment_intent_step`;
    await api.sql`
      WITH intent AS (UPDATE payment_intents SET type = 'ach', state = 'pending' WHERE receipt_number = ${receipt} RETURNING id)
      UPDATE payment_intent_ledgers SET state = 'pending' WHERE intent_id = (SELECT id FROM intent)`;
    await api.sql`ALTER TABLE payment_intents ENABLE TRIGGER payment_intent_step`;
    await sql`UPDATE payments SET receipt_number = ${`${receipt}-1`} WHERE receipt_number = ${receipt}`.execute(
      api.owner,
    );
    await expect(
      cli('reverse', '--receipt-number', receipt, '--reason', 'mistake'),
    ).rejects.toThrow('refund it.');
    await api.sql`
      DELETE FROM sandbox_gateway.charges
      WHERE reference = (SELECT id FROM payment_intents WHERE receipt_number = ${receipt})`;
    await expect(
      cli('reverse', '--receipt-number', `${receipt}-1`, '--reason', 'mistake'),
    ).rejects.toThrow(`name receipt ${receipt}.`);
    await expect(
      cli('reverse', '--receipt-number', receipt, '--reason', 'mistake', '--facility', 'AZPHX01'),
    ).rejects.toThrow('There is no receipt');
    const { gateway } = api.ctx;
    const away = new GatewayUnknown('connection reset');
    api.ctx.gateway = { ...gateway, lookup: () => Promise.reject(away) };
    await expect(
      cli('reverse', '--receipt-number', receipt, '--reason', 'mistake'),
    ).rejects.toThrow('The gateway does not answer.');
    // A webhook says that the debit has settled while staff wait for the gateway's answer.
    api.ctx.gateway = {
      ...gateway,
      async lookup() {
        await api.sql`ALTER TABLE payment_intents DISABLE TRIGGER payment_intent_step`;
        await api.sql`UPDATE payment_intents SET state = 'settled' WHERE receipt_number = ${receipt}`;
        return { outcome: 'notFound' };
      },
    };
    await expect(
      cli('reverse', '--receipt-number', receipt, '--reason', 'mistake'),
    ).rejects.toThrow('is no longer pending');
    api.ctx.gateway = gateway;
    await api.sql`UPDATE payment_intents SET state = 'pending' WHERE receipt_number = ${receipt}`;
    await api.sql`ALTER TABLE payment_intents ENABLE TRIGGER payment_intent_step`;
    expect(await balances()).toEqual([0, 5000]);

    const key = randomUUID();
    for (let round = 0; round < 2; round++)
      await cli('reverse', '--receipt-number', receipt, '--reason', 'mistake', '--key', key);
    expect(await balances()).toEqual([20_000, 5000]);
    const [mail, ...others] = await mails();
    expect(mail!.text).toContain('Bank debit not collected: $200.00');
    expect(others).toEqual([]);
    await expectSoundBooks(api.owner);
  });

  test('is refused while a refund is under way', async () => {
    const receiptNumber = await paidByCard(ledgerId);
    await api.sql`
      INSERT INTO refunds (intent_id, amount_cents, state, reason, created_at, updated_at)
      SELECT intent_id, 100, 'submitted', 'x', ${testClock.now()}, ${testClock.now()} FROM payments WHERE receipt_number = ${receiptNumber}`;
    await expect(
      cli('reverse', '--receipt-number', receiptNumber, '--reason', 'chargeback'),
    ).rejects.toThrow('A refund of this payment is under way.');
    await api.sql`DELETE FROM refunds`;
  });

  test('of a reason that does not fit, a part for a bank, no receipt or another facility’s is refused', async () => {
    const { receiptNumber } = await recorded('220', '--type', 'check', '--number', '1042');
    const reverse = (...args: string[]) => cli('reverse', '--receipt-number', ...args);
    await expect(reverse(receiptNumber, '--reason', 'chargeback')).rejects.toThrow(
      'Only a card payment can be charged back',
    );
    await expect(reverse(`${receiptNumber}-1`, '--reason', 'nsf')).rejects.toThrow(
      `name receipt ${receiptNumber}.`,
    );
    await expect(reverse(receiptNumber)).rejects.toThrow(
      "required option '--reason <choice>' not specified",
    );
    await expect(reverse('999', '--reason', 'nsf')).rejects.toThrow('There is no receipt 999.');
    await expect(
      reverse(receiptNumber, '--reason', 'nsf', '--facility', 'AZPHX01'),
    ).rejects.toThrow('There is no receipt');
    expect(await balances()).toEqual([0, 3000]);
  });
});

describe('payments refund', () => {
  type Refunded = {
    refundId: string;
    receiptNumber: string;
    status: string;
    amount: number;
    way: string;
    reopened: { ledgerId: string; amount: number; description: string }[];
    ledgers: { ledgerId: string; refunded: number; balance: number }[];
  };
  const refund = (...args: string[]) => cli('refund', '--receipt-number', ...args);
  const refunded = async (...args: string[]) =>
    JSON.parse(await refund(...args, '--json')) as Refunded;
  const refunds = () =>
    sql<{ way: string; state: string; cents: number }>`
      SELECT way, r.state, r.amount_cents AS cents FROM refunds r JOIN payment_intents i ON i.id = r.intent_id
      WHERE i.tenant_id = ${tenantId} ORDER BY r.created_at`
      .execute(api.owner)
      .then(({ rows }) => rows);
  /** Loses the gateway's answers while it works, after what it was asked is done. */
  async function deaf<T>(work: () => Promise<T>): Promise<T> {
    const { gateway } = api.ctx;
    api.ctx.gateway = {
      ...gateway,
      async refund(request) {
        await gateway.refund(request);
        throw new Error('connection reset');
      },
    };
    return work().finally(() => (api.ctx.gateway = gateway));
  }

  test('of a card payment goes through the gateway, as its preview says to the cent, once under a key', async () => {
    const receipt = await paidByCard(ledgerId);
    const preview = await refunded(receipt, '--amount', '50.25', '--dry-run');
    expect(preview).toMatchObject({
      refundId: null,
      receiptNumber: null,
      way: 'gateway',
      status: 'refunded',
    });
    expect(preview.reopened).toMatchObject([{ ledgerId, amount: 50.25, description: 'Cleaning' }]);
    expect([await balances(), await refunds(), await mails(), await events()]).toEqual([
      [0, 5000],
      [],
      [],
      [],
    ]);
    await refund(receipt, '--way', 'check', '--number', '2001', '--dry-run');
    const key = randomUUID();
    const done = await refunded(
      ...words`${receipt} --amount 50.25 --key ${key} --by Ana --why ${'left early'}`,
    );
    // The next number after the payment's: the previews took none.
    expect(Number(done.receiptNumber)).toBe(Number(receipt) + 1);
    expect({ ...done, dryRun: true, refundId: null, receiptNumber: null }).toEqual(preview);
    expect(await refunded(receipt, '--amount', '50.25', '--key', key)).toEqual(done);
    await expect(refund(receipt, '--amount', '50', '--key', key)).rejects.toThrow(
      'This key was used for something',
    );
    expect([await balances(), await refunds()]).toEqual([
      [5025, 5000],
      [{ way: 'gateway', state: 'succeeded', cents: 5025 }],
    ]);
    const [mail] = await mails();
    expect(mail).toMatchObject({ subject: 'Refund of $50.25' });
    expect(mail!.text).toContain(`Refund: ${done.receiptNumber}`);
    expect((await events()).map(({ kind }) => kind).toSorted()).toEqual([
      'payment_refunded',
      'staff_action',
    ]);
    expect(await refunded(receipt, '--dry-run')).toMatchObject({ amount: 149.75, way: 'gateway' });
    await expectSoundBooks(api.owner);
  });

  test('over several rentals gives the last part back first, and one part by its number', async () => {
    const { receiptNumber } = await recorded('250', '--type', 'check', '--number', '1042');
    await expect(refund(receiptNumber)).rejects.toThrow(
      'was paid with Check 1042: say how it is given back',
    );
    const done = await refunded(...words`${receiptNumber} --amount 60 --way check --number 2001`);
    expect(done.ledgers.map((one) => [one.ledgerId, one.refunded, one.balance]).toSorted()).toEqual(
      [
        [ledgerId, 10, 10],
        [otherId, 50, 50],
      ].toSorted(),
    );
    expect(await balances()).toEqual([1000, 5000]);
    await expect(refund(`${receiptNumber}-2`, '--way', 'cash')).rejects.toThrow(
      `Nothing is left of receipt ${receiptNumber}-2`,
    );
    await refund(`${receiptNumber}-1`, '--way', 'cash', '--amount', '40');
    expect(await balances()).toEqual([5000, 5000]);
    const texts = (await mails()).map(({ text }) => text);
    expect(texts.filter((text) => text.includes('by check 2001'))).toHaveLength(1);
    expect(texts.at(-1)).toContain('has refunded $40.00 in cash.');
    await expectSoundBooks(api.owner);
  });

  test('in cash is possible for a card payment, and asks no gateway', async () => {
    const receipt = await paidByCard(ledgerId);
    const { gateway } = api.ctx;
    api.ctx.gateway = {
      ...gateway,
      refund: () => Promise.reject(new Error('the gateway was asked')),
    };
    expect(await refunded(receipt, '--way', 'cash')).toMatchObject({
      way: 'cash',
      amount: 200,
      status: 'refunded',
    });
    api.ctx.gateway = gateway;
    expect(await balances()).toEqual([20_000, 5000]);
    expect(await refunds()).toEqual([{ way: 'cash', state: 'succeeded', cents: 20_000 }]);
    await expectSoundBooks(api.owner);
  });

  test('whose answer is lost says so, lets no other begin, and is made once by its key or the sweep', async () => {
    const receipt = await paidByCard(ledgerId);
    const key = randomUUID();
    const lost = await deaf(() => refunded(receipt, '--amount', '50', '--key', key));
    expect(lost).toMatchObject({
      status: 'submitted',
      reopened: [],
      ledgers: [{ refunded: 0, balance: 0 }],
    });
    expect(await balances()).toEqual([0, 5000]);
    for (const way of [[], ['--way', 'cash']])
      await expect(refund(receipt, '--amount', '1', ...way)).rejects.toThrow(
        'Another refund of this payment',
      );
    const known = await refunded(receipt, '--amount', '50', '--key', key);
    expect(known).toMatchObject({
      refundId: lost.refundId,
      receiptNumber: lost.receiptNumber,
      status: 'refunded',
      reopened: [{ amount: 50 }],
      ledgers: [{ refunded: 50, balance: 50 }],
    });
    await resolveOpenRefunds(api.ctx);
    expect(await balances()).toEqual([5000, 5000]);
    expect(await refunds()).toHaveLength(1);
    await expectSoundBooks(api.owner);
  });

  test('that is under way keeps its credit from being moved', async () => {
    const receipt = await paidByCard(ledgerId);
    const id = await chargeOf(ledgerId);
    await charges('waive', '--charge', id);
    const key = randomUUID();
    await deaf(() => refunded(receipt, '--key', key));
    await expect(
      credits('move', '--from-ledger', ledgerId, '--to-ledger', otherId, '--amount', '10'),
    ).rejects.toThrow('A refund of this credit is under way. Please try again in some minutes.');
    await refunded(receipt, '--key', key);
    await expect(
      credits('move', '--from-ledger', ledgerId, '--to-ledger', otherId, '--amount', '10'),
    ).rejects.toThrow('has an open credit of $0.00 only');
    expect(await balances()).toEqual([0, 5000]);
    await expectSoundBooks(api.owner);
  });

  test('that fails after it was begun names the key under which it is done once', async () => {
    const receipt = await paidByCard(ledgerId);
    await api.sql`REVOKE UPDATE ON refunds FROM gatehouse_app, gatehouse_work`;
    const failure = await refund(receipt, '--amount', '50').catch((error: unknown) => error);
    await api.sql`GRANT UPDATE ON refunds TO gatehouse_app, gatehouse_work`;
    const { message, cause } = failure as Error;
    expect((cause as Error).message).toContain('permission denied');
    const key =
      /^payments\.refund .+; run it again with --key (\S+), under which it is done once\.$/.exec(
        message,
      )![1]!;
    for (let round = 0; round < 2; round++) await refund(receipt, '--amount', '50', '--key', key);
    expect(await balances()).toEqual([5000, 5000]);
    expect(await refunds()).toEqual([{ way: 'gateway', state: 'succeeded', cents: 5000 }]);
  });

  test('that the gateway refuses is a sentence, also under its key, and another one may follow', async () => {
    const receipt = await paidByCard(ledgerId);
    const { gateway } = api.ctx;
    api.ctx.gateway = {
      ...gateway,
      refund: () => Promise.resolve({ outcome: 'failed', message: 'The card is gone.' }),
    };
    const key = randomUUID();
    const sentence = 'The gateway refused the refund: The card is gone.';
    await expect(refund(receipt, '--key', key)).rejects.toThrow(sentence);
    api.ctx.gateway = gateway;
    await expect(refund(receipt, '--key', key)).rejects.toThrow(sentence);
    expect(await balances()).toEqual([0, 5000]);
    await refund(receipt, '--way', 'check', '--number', '77');
    expect(await balances()).toEqual([20_000, 5000]);
  });

  test('by two members of staff at once gives back no more than was paid', async () => {
    const { receiptNumber } = await recorded('100', '--type', 'cash');
    const done = await Promise.allSettled(
      [1, 2, 3].map(() => refund(receiptNumber, '--amount', '60', '--way', 'cash')),
    );
    expect(done.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await balances()).toEqual([16_000, 5000]);
    await expectSoundBooks(api.owner);
  });

  test('of a bank debit waits until it has settled', async () => {
    const receipt = await paidByCard(ledgerId);
    const state = (to: string) =>
      sql`UPDATE payment_intents SET type = 'ach', state = ${to} WHERE receipt_number = ${receipt}`;
    await api.sql`ALTER TABLE payment_intents DISABLE TRIGGER payment_intent_step`;
    await state('pending').execute(api.owner);
    for (const way of [[], ['--way', 'cash']])
      await expect(refund(receipt, ...way)).rejects.toThrow(
        'is a bank debit that has not settled yet',
      );
    await state('settled').execute(api.owner);
    await api.sql`ALTER TABLE payment_intents ENABLE TRIGGER payment_intent_step`;
    expect(await refunded(receipt)).toMatchObject({ amount: 200 });
  });

  test.each<[string, string[], string]>([
    [
      'more than is left',
      ['--amount', '100.01', '--way', 'cash'],
      'At most $100.00 is left of receipt',
    ],
    ['three decimals', ['--amount', '10.005', '--way', 'cash'], 'at most two decimals'],
    ['nothing', ['--amount', '0', '--way', 'cash'], 'Amount must be'],
    ['another facility', ['--way', 'cash', '--facility', 'AZPHX01'], 'There is no receipt'],
  ])('of %s is refused in a sentence, and writes nothing', async (_, args, sentence) => {
    const { receiptNumber } = await recorded('100', '--type', 'cash');
    const before = await events();
    await expect(refund(receiptNumber, ...args)).rejects.toThrow(sentence);
    expect([await balances(), await refunds(), await events()]).toEqual([
      [10_000, 5000],
      [],
      before,
    ]);
  });

  test('of a receipt that is none is refused', async () => {
    await expect(refund('999', '--way', 'cash')).rejects.toThrow('There is no receipt 999.');
  });
});
