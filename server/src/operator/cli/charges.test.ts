import { randomUUID } from 'node:crypto';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { makeFacility, makeLedger, makeTenant, postCharges } from '#seeds/builders.ts';
import { useTestApp } from '#test/app.ts';
import { readMails } from '#test/mails.ts';
import { expectSoundBooks } from '#test/books.ts';
import { cliOf, words } from '#test/cli.ts';
import { changeRows, findRows, getRow } from '#test/rows.ts';
import { expectOneDone } from '#test/at-once.ts';

const api = useTestApp('empty_template');
let facilityId: string;
let ledgerId: string;

beforeAll(async () => {
  const rent = { rent_tax1_basis_points: 625, rent_tax2_basis_points: 200 };
  const insurance = { insurance_tax1_basis_points: 100 };
  facilityId = await makeFacility(api.owner, { ...rent, ...insurance });
  await makeFacility(api.owner, { location_code: 'AZPHX01' });
});
beforeEach(async () => {
  const tenant_id = await makeTenant(api.owner, { facility_id: facilityId });
  const unit = { facility_id: facilityId, name: randomUUID().slice(0, 8) };
  ({ ledgerId } = await makeLedger(api.owner, api.ctx.vault, { tenant_id, unit, is_taxed: true }));
});
afterEach(() => expectSoundBooks(api.owner));

const cli = cliOf(api, 'charges');
const credits = cliOf(api, 'credits');
const add = (category: string, amount: string, ...more: string[]) =>
  cli(
    ...words`add --ledger ${ledgerId} --category ${category} --amount ${amount}`,
    ...['--description', 'Lock cut'],
    ...more,
  );
const balance = async () =>
  (await getRow(api.owner, 'ledgers', 'balance_cents', { id: ledgerId })).balance_cents;
const events = () =>
  findRows(api.owner, 'audit_events', ['kind', 'details'], { ledger_id: ledgerId });

const mails = async () => {
  const { name } = await api.owner
    .selectFrom('ledgers')
    .innerJoin('units', 'units.id', 'ledgers.unit_id')
    .select('units.name')
    .where('ledgers.id', '=', ledgerId)
    .executeTakeFirstOrThrow();
  return (await readMails(api)).filter(({ text }) => text.includes(name));
};

describe('charges add', () => {
  test('mails the tenant once what was posted and what is owed then, as waivers and credits do', async () => {
    const key = randomUUID();
    await add('fee', '25.50', '--dry-run');
    const { chargeId } = JSON.parse(await add('fee', '25.50', '--key', key, '--json')) as {
      chargeId: string;
    };
    await add('fee', '25.50', '--key', key);
    await cli('waive', '--charge', chargeId, '--amount', '5.50');
    await credits('add', '--ledger', ledgerId, '--amount', '30', '--description', 'Sorry');
    expect(await mails()).toMatchObject([
      {
        subject: expect.stringMatching(/^Unit .+: pay \$25\.50 to open the gate$/),
        text: expect.stringMatching(
          /: Lock cut, due [\d/]+: \$25\.50\nBalance of unit .*: \$25\.50\n/,
        ),
      },
      {
        text: expect.stringMatching(/: Waived: Lock cut: -\$5\.50\nBalance of unit .*: \$20\.00\n/),
      },
      { text: expect.stringMatching(/: Sorry: -\$30\.00\nCredit of unit .*: \$10\.00\n/) },
    ]);
  });

  test('posts a charge that is due today, as its preview says, once under a key, and is noted', async () => {
    expect(JSON.parse(await add('fee', '25.50', '--dry-run', '--json'))).toMatchObject({
      total: 25.5,
      gate: { sentence: 'The gate closes at once. It opens again once $25.50 is paid.' },
      ledgers: [{ balance: 25.5 }],
    });
    expect([await balance(), await events()]).toEqual([0, []]);
    const key = randomUUID();
    const answer = await add('fee', '25.50', '--by', 'Ana', '--key', key, '--json');
    expect(await add('fee', '25.50', '--by', 'Ana', '--key', key, '--json')).toBe(answer);
    expect(JSON.parse(answer)).toMatchObject({
      total: 25.5,
      tax1: 0,
      tax2: 0,
      ledgers: [{ ledgerId, balance: 25.5 }],
    });
    expect(await events()).toMatchObject([
      { kind: 'staff_action', details: { verb: 'charges.add', by: 'Ana' } },
    ]);
  });

  test('with --taxed adds the taxes of rent, and of insurance those of insurance', async () => {
    expect(JSON.parse(await add('service', '10', '--taxed', '--json'))).toMatchObject({
      total: 10.83,
      tax1: 0.63,
      tax2: 0.2,
    });
    expect(JSON.parse(await add('insurance', '10', '--taxed', '--json'))).toMatchObject({
      total: 10.1,
      tax1: 0.1,
    });
    await changeRows(api.owner, 'ledgers', { is_taxed: false }, { id: ledgerId });
    await expect(add('fee', '10', '--taxed')).rejects.toThrow('is not taxed');
    expect(await balance()).toBe(2093);
  });

  test('by two members of staff at once posts both', async () => {
    await Promise.all([add('fee', '5'), add('fee', '7')]);
    expect(await balance()).toBe(1200);
  });

  test.each([
    ['of rent', 'rent', '10', [], 'Allowed choices are service, insurance, fee.'],
    ['of three decimals', 'fee', '1.005', [], 'Amount must have at most two decimals.'],
    [
      'at a facility that is not the rental’s',
      'fee',
      '5',
      ['--facility', 'AZPHX01'],
      'There is no rental',
    ],
  ])(
    '%s is refused in a sentence, and writes nothing',
    async (_, category, amount, more, sentence) => {
      await expect(add(category, amount, ...more)).rejects.toThrow(sentence);
      expect([await balance(), await events()]).toEqual([0, []]);
    },
  );
});

describe('charges waive', () => {
  const rent = {
    category: 'rent' as const,
    description: 'Rent 1/1/2025 - 1/31/2025',
    dueOn: '2025-01-01',
    periodEnd: '2025-01-31',
    priceCents: 20_000,
    discountCents: 1000,
    tax1Cents: 1188,
    tax2Cents: 380,
  };

  test('takes back the charge that it names with its tax, in parts to the cent, and then no more', async () => {
    const [rentId] = await postCharges(api.owner, ledgerId, [rent]);
    expect(
      JSON.parse(await cli('waive', '--charge', rentId!, '--amount', '70', '--json')),
    ).toMatchObject({
      amount: 70,
      tax1: 4.04,
      tax2: 1.29,
      ledgers: [{ balance: 135.68 }],
    });
    await expect(cli('waive', '--charge', rentId!, '--amount', '135.69')).rejects.toThrow(
      'At most $135.68 is left',
    );
    const rest = { amount: 135.68, tax1: 7.84, tax2: 2.51 };
    const waive = ['waive', '--charge', rentId!, '--json'];
    expect(JSON.parse(await cli(...waive, '--dry-run'))).toMatchObject(rest);
    expect(await balance()).toBe(13_568);
    expect(JSON.parse(await cli(...waive))).toMatchObject(rest);
    await expect(cli('waive', '--charge', rentId!)).rejects.toThrow(
      'Nothing is left of this charge to waive.',
    );
    expect(await balance()).toBe(0);
  });

  test('of a paid charge leaves a credit, and is itself taken back by credits reverse', async () => {
    const { chargeId } = JSON.parse(await add('fee', '25', '--json')) as { chargeId: string };
    await credits('add', '--ledger', ledgerId, '--amount', '25', '--description', 'Goodwill');
    const { creditId } = JSON.parse(await cli('waive', '--charge', chargeId, '--json')) as {
      creditId: string;
    };
    expect(await balance()).toBe(-2500);
    await credits('reverse', '--credit', creditId);
    expect(await balance()).toBe(0);
    await expectSoundBooks(api.owner);
    // The charge may be waived again.
    await cli('waive', '--charge', chargeId, '--amount', '1');
  });

  test('by two members of staff at once, and under one key twice, is done once', async () => {
    const { chargeId } = JSON.parse(await add('fee', '25', '--json')) as { chargeId: string };
    await expectOneDone([cli('waive', '--charge', chargeId), cli('waive', '--charge', chargeId)]);
    const other = JSON.parse(await add('fee', '25', '--json')) as { chargeId: string };
    const key = randomUUID();
    const first = await cli(
      ...words`waive --charge ${other.chargeId} --amount 5 --key ${key} --json`,
    );
    expect(
      await cli('waive', '--charge', other.chargeId, '--amount', '5', '--key', key, '--json'),
    ).toBe(first);
    expect(await balance()).toBe(2000);
  });

  test('of an id that is no charge, or of another facility, is refused', async () => {
    const { chargeId } = JSON.parse(await add('fee', '25', '--json')) as { chargeId: string };
    await expect(cli('waive', '--charge', randomUUID())).rejects.toThrow('There is no charge');
    await expect(cli('waive', '--charge', chargeId, '--facility', 'AZPHX01')).rejects.toThrow(
      'There is no charge',
    );
    expect(await balance()).toBe(2500);
  });
});
