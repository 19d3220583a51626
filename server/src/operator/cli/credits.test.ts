import { randomUUID } from 'node:crypto';
import { calendarDateIn } from '@gatehouse/contract/dates';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { readDrawers } from '#features/money/drawers/drawers.ts';
import { findDeposits } from '#features/money/reports/deposits.ts';
import {
  makeFacility,
  makeLedger,
  makeTenant,
  postCharges,
  postPastPayments,
} from '#seeds/builders.ts';
import { useTestApp } from '#test/app.ts';
import { expectSoundBooks } from '#test/books.ts';
import { cliOf, words } from '#test/cli.ts';
import { readMails } from '#test/mails.ts';
import { findRows, getRow } from '#test/rows.ts';
import { testClock } from '#test/test-day.ts';
import { expectOneDone } from '#test/at-once.ts';

const api = useTestApp('empty_template');
let facilityId: string;
let tenantId: string;
let ledgerId: string;

beforeAll(async () => {
  facilityId = await makeFacility(api.owner, {});
  await makeFacility(api.owner, { location_code: 'AZPHX01' });
});
beforeEach(async () => {
  tenantId = await makeTenant(api.owner, { facility_id: facilityId });
  ledgerId = await newLedger();
  const fee = {
    category: 'fee' as const,
    description: 'Cleaning',
    dueOn: '2026-11-19',
    priceCents: 2000,
  };
  await postCharges(api.owner, ledgerId, [fee]);
});
afterEach(() => expectSoundBooks(api.owner));

async function newLedger(tenant_id = tenantId): Promise<string> {
  const unit = { facility_id: facilityId, name: randomUUID().slice(0, 8) };
  return (await makeLedger(api.owner, api.ctx.vault, { tenant_id, unit })).ledgerId;
}

const cli = cliOf(api, 'credits');
const add = (amount: string, ...more: string[]) =>
  cli(
    ...words`add --ledger ${ledgerId} --amount ${amount} --description ${'Gate was out of order'}`,
    ...more,
  );
const balance = async (id = ledgerId) =>
  (await getRow(api.owner, 'ledgers', 'balance_cents', { id })).balance_cents;
const events = () =>
  findRows(api.owner, 'audit_events', ['kind', 'details'], { ledger_id: ledgerId });
const keys = async () => (await findRows(api.owner, 'staff_actions', 'key')).length;

describe('credits add', () => {
  test('settles what is owed, leaves the rest as a credit, and is noted with who and why', async () => {
    const answer = JSON.parse(
      await add('25.50', '--by', 'Ana', '--why', 'complaint of Monday', '--json'),
    ) as object;
    expect(answer).toMatchObject({ dryRun: false, ledgers: [{ ledgerId, balance: -5.5 }] });
    expect(await balance()).toBe(-550);
    expect(await events()).toMatchObject([
      {
        kind: 'staff_action',
        details: { verb: 'credits.add', by: 'Ana', why: 'complaint of Monday', amount: '25.5' },
      },
    ]);
  });

  test('with --dry-run says the balance that it would leave, and writes nothing', async () => {
    const before = await keys();
    expect(JSON.parse(await add('25.50', '--dry-run', '--json'))).toMatchObject({
      dryRun: true,
      ledgers: [{ balance: -5.5 }],
    });
    expect([await balance(), await events()]).toEqual([2000, []]);
    expect(await keys()).toBe(before);
  });

  test('keeps no number of a card or account of who and why, and refuses a description with a card number', async () => {
    const key = randomUUID();
    const why = 'card 4242 4242 4242 4242, account 000123456789';
    await add('5', '--by', 'Ana 4242424242424242', '--why', why, '--key', key);
    const kept = { by: 'Ana [number]', why: 'card [number], account [number]' };
    expect(await events()).toMatchObject([{ details: kept }]);
    const row = await api.owner
      .selectFrom('staff_actions')
      .selectAll()
      .where('key', '=', key)
      .executeTakeFirstOrThrow();
    expect({ by: row.by_name, why: row.why }).toEqual(kept);
    const described = words`--ledger ${ledgerId} --amount 5 --description ${'For 4242-4242-4242-4242'}`;
    await expect(cli('add', ...described)).rejects.toThrow(
      'holds what looks like a card number, which is never taken.',
    );
    expect(await balance()).toBe(1500);
  });

  test.each([
    ['a name', '--by', 101, 'Who does it (by) must be 1 to 100 characters.'],
    ['no name', '--by', 0, 'Who does it (by) must be 1 to 100 characters.'],
    ['a reason', '--why', 501, 'The reason (why) must be at most 500 characters.'],
  ])(
    'with %s that does not fit is refused with the limit, also as a preview',
    async (_, option, length, sentence) => {
      const given = [option, 'x'.repeat(length)];
      await expect(add('5', ...given)).rejects.toThrow(sentence);
      await expect(add('5', ...given, '--dry-run')).rejects.toThrow(sentence);
      expect([await balance(), await events()]).toEqual([2000, []]);
    },
  );

  test('under a key is done once, and the key is refused for something else', async () => {
    const key = randomUUID();
    const first = await add('5', '--key', key, '--json');
    expect(await add('5', '--key', key, '--json')).toBe(first);
    expect(await balance()).toBe(1500);
    await expect(add('6', '--key', key)).rejects.toThrow(
      'This key was used for something else. Take a new one.',
    );
    expect(await balance()).toBe(1500);
  });

  test('under one key ten times at once is done once', async () => {
    const key = randomUUID();
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => add('5', '--key', key, '--json')),
    );
    expect(new Set(answers).size).toBe(1);
    expect(await balance()).toBe(1500);
  });

  test('by two members of staff at once posts both', async () => {
    await Promise.all([add('5'), add('7')]);
    expect(await balance()).toBe(800);
  });

  test.each([
    ['an amount with three decimals', ['1.005'], 'Amount must have at most two decimals.'],
    ['an amount of nothing', ['0'], 'Amount must be above $0.00.'],
    ['an amount that is none', ['ten'], 'It must be an amount in dollars'],
    ['a key that is none', ['5', '--key', 'again'], 'It must be a UUID'],
    ['a rental of another facility', ['5', '--facility', 'AZPHX01'], 'There is no rental'],
    ['a facility that is none', ['5', '--facility', 'NOWHERE'], 'There is no facility NOWHERE.'],
  ])(
    'with %s is refused in a sentence, and writes nothing',
    async (_, [amount = '', ...more], sentence) => {
      await expect(add(amount, ...more)).rejects.toThrow(sentence);
      expect([await balance(), await events()]).toEqual([2000, []]);
    },
  );
});

const move = (to: string, amount: string, ...more: string[]) =>
  cli('move', '--from-ledger', ledgerId, '--to-ledger', to, '--amount', amount, ...more);

describe('credits move', () => {
  test('moves the oldest open credit first, settles what the other rental owes, and is noted on both', async () => {
    const other = await newLedger();
    const fee = {
      category: 'fee' as const,
      description: 'Cleaning',
      dueOn: '2026-11-19',
      priceCents: 1000,
    };
    await postCharges(api.owner, other, [fee]);
    await add('25');
    await add('10');
    expect(JSON.parse(await move(other, '12', '--dry-run', '--json'))).toMatchObject({
      ledgers: [{ balance: -3 }, { balance: -2 }],
    });
    expect([await balance(), await balance(other)]).toEqual([-1500, 1000]);
    const key = randomUUID();
    const answer = await move(other, '12', '--by', 'Ana', '--key', key, '--json');
    expect(await move(other, '12', '--by', 'Ana', '--key', key, '--json')).toBe(answer);
    expect(JSON.parse(answer)).toMatchObject({ ledgers: [{ balance: -3 }, { balance: -2 }] });
    expect([await balance(), await balance(other)]).toEqual([-300, -200]);
    const reversals = await api.owner
      .selectFrom('reversals')
      .innerJoin('entries', 'entries.id', 'reversals.entry_id')
      .select(['reason', 'amount_cents'])
      .where('reversals.ledger_id', '=', ledgerId)
      .orderBy('entries.position')
      .execute();
    expect(reversals).toEqual([
      { reason: 'moved', amount_cents: 500 },
      { reason: 'moved', amount_cents: 700 },
    ]);
    const moves = await findRows(api.owner, 'audit_events', 'ledger_id', { request_id: key });
    expect(new Set(moves.map(({ ledger_id }) => ledger_id))).toEqual(new Set([ledgerId, other]));
  });

  test('of the same credit by two members of staff at once moves it once', async () => {
    const other = await newLedger();
    await add('30');
    await expectOneDone([move(other, '10'), move(other, '10')]);
    expect([await balance(), await balance(other)]).toEqual([0, -1000]);
  });

  test('of more than is open, to another tenant record or to itself is refused, and writes nothing', async () => {
    const foreign = await newLedger(await makeTenant(api.owner, { facility_id: facilityId }));
    await add('30');
    await expect(move(await newLedger(), '10.01')).rejects.toThrow(
      'has an open credit of $10.00 only.',
    );
    await expect(move(foreign, '5')).rejects.toThrow(
      'between the rentals of one tenant record only',
    );
    await expect(move(ledgerId, '5')).rejects.toThrow('A rental is named twice.');
    expect([await balance(), await balance(foreign)]).toEqual([-1000, 0]);
  });
});

const payOut = (...args: string[]) => cli('pay-out', '--ledger', ledgerId, ...args);

describe('credits pay-out', () => {
  const check = ['--way', 'check', '--number', '7'];
  const drawer = () =>
    readDrawers({ db: api.owner, staffDb: api.owner }, null, { on, isUsed: true });
  const on = calendarDateIn('America/Chicago', testClock.now());
  const back = async () => {
    const day = await findDeposits(api.owner, { on, facilityIds: null });
    return day.facilities.flatMap(({ takenBack }) => takenBack);
  };

  test('pays goodwill out by check or cash, with a number, a mail, its line in deposits and drawer, and its audit', async () => {
    await add('60');
    expect(
      JSON.parse(await payOut('--amount', '15', ...check, '--dry-run', '--json')),
    ).toMatchObject({
      refundId: null,
      receiptNumber: null,
      amount: 15,
      ledgers: [{ balance: -25 }],
    });
    expect([await balance(), await back()]).toEqual([-4000, []]);
    await api.owner.deleteFrom('mails').execute();
    const key = randomUUID();
    const paid = await payOut('--amount', '15', ...check, '--key', key, '--by', 'Ana', '--json');
    expect(await payOut('--amount', '15', ...check, '--key', key, '--by', 'Ana', '--json')).toBe(
      paid,
    );
    const { receiptNumber } = JSON.parse(paid) as { receiptNumber: string };
    expect(await balance()).toBe(-2500);
    expect(await back()).toEqual([{ type: 'check', reason: 'refund', count: 1, amount: 15 }]);
    expect(await drawer()).toEqual([]);
    const [mail, ...others] = await readMails(api);
    expect([mail!.subject, others]).toEqual(['Refund of $15.00', []]);
    expect(mail!.text).toContain('has refunded $15.00 by check 7.');
    expect(mail!.text).toContain(`Refund: ${receiptNumber}`);
    expect(await events()).toContainEqual({
      kind: 'staff_action',
      details: expect.objectContaining({
        verb: 'credits.payOut',
        by: 'Ana',
        amount: '15',
      }) as object,
    });
    await payOut('--way', 'cash');
    expect(await balance()).toBe(0);
    expect(await back()).toContainEqual({ type: 'cash', reason: 'refund', count: 1, amount: 25 });
    const [{ lines } = { lines: [] }] = await drawer();
    expect(lines).toMatchObject([{ type: 'cash', count: 0, takenCents: 0, backCents: 2500 }]);
    const rows = await api.sql<{ description: string }>`
      SELECT description FROM taken_back WHERE ledger_id = ${ledgerId} ORDER BY description`;
    expect(new Set(rows.map(({ description }) => description))).toEqual(
      new Set(['Paid out by check 7', 'Paid out in cash']),
    );
  });

  test('by two members of staff at once, or after the credit was moved, pays it once', async () => {
    await add('30');
    await expectOneDone([payOut(...check), payOut('--way', 'cash')]);
    await expect(payOut(...check)).rejects.toThrow('has a credit of $0.00 that can be paid out');
    expect(await balance()).toBe(0);
  });

  test('of more than is open, of what a card can get back, without a check number or elsewhere is refused', async () => {
    await postPastPayments(api.owner, [
      {
        tenantId,
        ledgerId,
        paidOn: '2026-11-20',
        charges: [{ id: await chargeId(), cents: 2000 }],
      },
    ]);
    await add('30');
    await cliOf(api, 'charges')('waive', '--charge', await chargeId());
    expect(await balance()).toBe(-5000);
    await expect(payOut('--amount', '30.01', ...check)).rejects.toThrow(
      'has a credit of $30.00 that can be paid out. What was paid by card',
    );
    await expect(payOut('--way', 'check')).rejects.toThrow('A check has a number');
    await expect(payOut(...check, '--facility', 'AZPHX01')).rejects.toThrow('There is no rental');
    expect(await balance()).toBe(-5000);
    await payOut(...check);
    expect(await balance()).toBe(-2000);
  });
});

/** The one charge of the rental. */
async function chargeId(): Promise<string> {
  const { entry_id } = await getRow(api.owner, 'charges', 'entry_id', { ledger_id: ledgerId });
  return entry_id;
}

describe('credits reverse', () => {
  test('takes a credit back, once: what it had settled is owed again', async () => {
    const { creditId } = JSON.parse(await add('25', '--json')) as { creditId: string };
    const reverse = ['reverse', '--credit', creditId, '--json'];
    for (const one of [[...reverse, '--dry-run'], reverse])
      expect(JSON.parse(await cli(...one))).toMatchObject({
        amount: 25,
        ledgers: [{ ledgerId, balance: 20 }],
      });
    await expect(cli('reverse', '--credit', creditId)).rejects.toThrow(
      'Nothing is left of this credit',
    );
    expect(await balance()).toBe(2000);
  });

  test('by two members of staff at once takes it back once', async () => {
    const { creditId } = JSON.parse(await add('25', '--json')) as { creditId: string };
    await expectOneDone([
      cli('reverse', '--credit', creditId),
      cli('reverse', '--credit', creditId),
    ]);
    expect(await balance()).toBe(2000);
  });

  test('of a charge, of an id that is none or of another facility is refused', async () => {
    const { creditId } = JSON.parse(await add('25', '--json')) as { creditId: string };
    const charge = await getRow(api.owner, 'charges', 'entry_id', { ledger_id: ledgerId });
    await expect(cli('reverse', '--credit', charge.entry_id)).rejects.toThrow('There is no credit');
    await expect(cli('reverse', '--credit', 'credit')).rejects.toThrow('It must be an id such as');
    await expect(cli('reverse', '--credit', creditId, '--facility', 'AZPHX01')).rejects.toThrow(
      'There is no credit',
    );
    expect(await balance()).toBe(-500);
  });
});
