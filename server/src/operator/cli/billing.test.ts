import { CommanderError } from 'commander';
import { beforeAll, describe, expect, test } from 'vitest';
import { makeFacility, makeLedger, makeTenant } from '#seeds/builders.ts';
import { useTestApp } from '#test/app.ts';
import { runCli } from '#test/cli.ts';
import { progressText } from './runner.ts';
import { changeRows, findRows } from '#test/rows.ts';

const api = useTestApp('empty_template', {
  clock: { now: () => new Date('2026-11-21T12:00:00Z') },
});
let ledgerId: string;
beforeAll(async () => {
  const facility_id = await makeFacility(api.owner, {});
  await makeFacility(api.owner, {
    location_code: 'NOWHERE',
    time_zone: 'Mars/Olympus',
  });
  const tenant_id = await makeTenant(api.owner, { facility_id });
  const unit = { facility_id };
  ({ ledgerId } = await makeLedger(api.owner, api.ctx.vault, {
    tenant_id,
    unit,
    moved_in_on: '2026-11-14',
  }));
});

const cli = (...args: string[]) => runCli(api, 'billing', ['run', ...args]);
const periods = async () =>
  (await findRows(api.owner, 'billed_periods', 'due_on', { ledger_id: ledgerId })).length;
const alarms = async () => (await findRows(api.owner, 'alarms', 'kind')).map(({ kind }) => kind);

describe('npm run cli -- billing run', () => {
  test('dry, prints what a day to come would bill and changes nothing', async () => {
    const { lines, code } = await cli('--date', '2026-12-14', '--dry-run', '--facility', 'TXDFW03');
    expect(lines).toEqual([
      'This would be billed; nothing was changed.',
      'facility  up to       ledgers  periods     rent  discounts  plans   fees  taxes    total  parked',
      'TXDFW03   12/14/2026        1        2  $400.00      $0.00  $0.00  $0.00  $0.00  $400.00       0',
      'all                         1        2  $400.00      $0.00  $0.00  $0.00  $0.00  $400.00       0',
    ]);
    expect(code).toBe(0);
    expect(await periods()).toBe(0);
  });

  test('dry, raises no alarm either, and still says what is left', async () => {
    expect(await cli('--dry-run')).toMatchObject({ code: 3 });
    expect(await alarms()).toEqual([]);
  });

  test('refuses a day to come, before it bills anything', async () => {
    await expect(cli('--date', '2026-11-22')).rejects.toThrow(
      'At TXDFW03 it is 2026-11-21: a day to come can only be looked at, with --dry-run.',
    );
    expect(await periods()).toBe(0);
  });

  test.each([
    ['2026-02-30'],
    ['11/21/2026'],
    ['2026-11'],
    ['soon'],
    ['0000-01-01'],
    ['9999-12-31'],
  ])('refuses %s as a day', async (date) => {
    await expect(cli('--date', date)).rejects.toThrow(CommanderError);
  });

  test('refuses a facility that there is none of', async () => {
    await expect(cli('--facility', 'TXDFW99')).rejects.toThrow('There is no facility TXDFW99.');
  });

  test('bills every facility up to its own day, and exits with 3 for the one that has an alarm', async () => {
    const { lines, code, progress } = await cli('--json');
    expect(code).toBe(3);
    expect(lines).toHaveLength(1);
    expect(JSON.parse(lines[0]!)).toMatchObject({
      dryRun: false,
      facilities: [
        { facility: 'NOWHERE', date: null, ledgers: 0 },
        { facility: 'TXDFW03', date: '2026-11-21', ledgers: 1, totalCents: 20_000, parked: 0 },
      ],
      total: { ledgers: 1, totalCents: 20_000 },
    });
    expect(progress.at(-1)).toEqual(['TXDFW03', { done: 1, total: 1 }]);
    expect(await alarms()).toEqual(['unknown_zone']);
    expect(await periods()).toBe(1);
    expect(await cli('--facility', 'TXDFW03')).toMatchObject({ code: 0 });
    expect(await periods()).toBe(1);
  });

  test('dry, says how many late fees would be posted, and their sum', async () => {
    await changeRows(
      api.owner,
      'facilities',
      { late_fee_cents: 2000 },
      { location_code: 'TXDFW03' },
    );
    const run = ['--date', '2026-11-26', '--dry-run', '--facility', 'TXDFW03'];
    expect((await cli(...run)).lines.at(-1)).toBe('Late fees: 1, $20.00');
    const { lines } = await cli(...run, '--json');
    expect(JSON.parse(lines[0]!)).toMatchObject({
      facilities: [{ lateFees: 1, lateFeeCents: 2000 }],
    });
    expect((await findRows(api.owner, 'charges', 'category')).length).toBe(1);
  });

  test('says how far it is, how fast, and what is left', () => {
    expect(progressText({ done: 12_000, total: 100_000 }, 6)).toBe(
      '12,000 of 100,000, 2,000 a second, 44 s left',
    );
    expect(progressText({ done: 0, total: 100_000 }, 0)).toBe('0 of 100,000');
    expect(progressText({ done: 100_000, total: 100_000 }, 50)).toBe('100,000 of 100,000');
  });
});
