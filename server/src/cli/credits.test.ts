import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { makeCorporation, makeFacility, makeLedger, makeTenant, postCharges } from '#seeds/builders.ts';
import { openTestApp, type TestApp } from '../../test/app.ts';
import { expectSoundBooks } from '../../test/books.ts';
import { creditsCommand } from './credits.ts';

let api: TestApp;
let facilityId: string;
let ledgerId: string;

beforeAll(async () => {
  api = await openTestApp('empty_template');
  const corporation_id = await makeCorporation(api.owner);
  facilityId = await makeFacility(api.owner, { corporation_id });
  await makeFacility(api.owner, { corporation_id, location_code: 'AZPHX01' });
});
beforeEach(async () => {
  const tenant_id = await makeTenant(api.owner, { facility_id: facilityId });
  const unit = { facility_id: facilityId, name: randomUUID().slice(0, 8) };
  ({ ledgerId } = await makeLedger(api.owner, api.ctx.vault, { tenant_id, unit }));
  const fee = { category: 'fee' as const, description: 'Cleaning', dueOn: '2026-11-19', priceCents: 2000 };
  await postCharges(api.owner, ledgerId, [fee]);
});
afterAll(() => api.close());

/** Runs the command as a terminal would; answers what it printed. */
async function cli(...args: string[]): Promise<string> {
  const printed: string[] = [];
  const command = creditsCommand(async (work) => {
    expect(await work(api.ctx, { line: (text) => printed.push(text), progress: () => {} })).toBe(0);
  });
  const quiet = { writeErr: () => {}, writeOut: () => {} };
  for (const each of [command, ...command.commands]) each.exitOverride().configureOutput(quiet);
  await command.parseAsync(args, { from: 'user' });
  return printed.join('\n');
}
const add = (amount: string, ...more: string[]) =>
  cli('add', '--ledger', ledgerId, '--amount', amount, '--description', 'Gate was out of order', ...more);
const balance = async () =>
  (await api.owner.selectFrom('ledgers').select('balance_cents').where('id', '=', ledgerId).executeTakeFirstOrThrow())
    .balance_cents;
const events = () =>
  api.owner.selectFrom('audit_events').select(['kind', 'details']).where('ledger_id', '=', ledgerId).execute();
const keys = async () => (await api.owner.selectFrom('staff_actions').select('key').execute()).length;

describe('credits add', () => {
  test('settles what is owed, leaves the rest as a credit, and is noted with who and why', async () => {
    const answer = JSON.parse(await add('25.50', '--by', 'Ana', '--why', 'complaint of Monday', '--json')) as object;
    expect(answer).toMatchObject({ dryRun: false, ledgers: [{ ledgerId, balance: -5.5 }] });
    expect(await balance()).toBe(-550);
    expect(await events()).toMatchObject([
      { kind: 'staff_action', details: { verb: 'credits.add', by: 'Ana', why: 'complaint of Monday', amount: '25.5' } },
    ]);
    await expectSoundBooks(api.owner);
  });

  test('with --dry-run says the balance that it would leave, and writes nothing', async () => {
    const before = await keys();
    expect(await add('25.50', '--dry-run')).toMatch(/would be posted; unit .* has a balance of -\$5\.50\.$/);
    expect([await balance(), await events()]).toEqual([2000, []]);
    expect(await keys()).toBe(before);
  });

  test('under a key is done once, and the key is refused for something else', async () => {
    const key = randomUUID();
    const first = await add('5', '--key', key, '--json');
    expect(await add('5', '--key', key, '--json')).toBe(first);
    expect(await balance()).toBe(1500);
    await expect(add('6', '--key', key)).rejects.toThrow('This key was used for something else. Take a new one.');
    expect(await balance()).toBe(1500);
  });

  test('under one key ten times at once is done once', async () => {
    const key = randomUUID();
    const answers = await Promise.all(Array.from({ length: 10 }, () => add('5', '--key', key, '--json')));
    expect(new Set(answers).size).toBe(1);
    expect(await balance()).toBe(1500);
  });

  test('by two members of staff at once posts both', async () => {
    await Promise.all([add('5'), add('7')]);
    expect(await balance()).toBe(800);
    await expectSoundBooks(api.owner);
  });

  test.each([
    ['an amount with three decimals', ['1.005'], 'Amount must have at most two decimals.'],
    ['an amount of nothing', ['0'], 'Amount must be above $0.00.'],
    ['an amount that is none', ['ten'], 'It must be an amount in dollars'],
    ['a key that is none', ['5', '--key', 'again'], 'It must be a UUID'],
    ['a rental of another facility', ['5', '--facility', 'AZPHX01'], 'There is no rental'],
    ['a facility that is none', ['5', '--facility', 'NOWHERE'], 'There is no facility NOWHERE.'],
  ])('with %s is refused in a sentence, and writes nothing', async (_, [amount = '', ...more], sentence) => {
    await expect(add(amount, ...more)).rejects.toThrow(sentence);
    expect([await balance(), await events()]).toEqual([2000, []]);
  });
});
