import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { addDays, calendarDateIn } from '@gatehouse/contract/dates';
import { Command } from 'commander';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  makeAutopay,
  makeFacility,
  makeLedger,
  makePaymentMethod,
  makeTenant,
  makeUser,
  postCharges,
} from '#seeds/builders.ts';
import { openTestApp, type TestApp } from '#test/app.ts';
import { expectSoundBooks } from '#test/books.ts';
import { testClock } from '#test/test-day.ts';
import { databaseCommands } from './commands.ts';

/** A recipe of docs/staff-commands.md: its heading, and its commands as they are typed. */
type Recipe = { heading: string; commands: string[] };

const recipes = readRecipes(
  readFileSync(new URL('../../../../docs/staff-commands.md', import.meta.url), 'utf8'),
);

function readRecipes(page: string): Recipe[] {
  return page
    .split(/^## /m)
    .slice(1)
    .map((section) => ({
      heading: section.slice(0, section.indexOf('\n')),
      commands: [...section.matchAll(/^```\n(.*?)^```/gms)].flatMap(([, block = '']) =>
        block.trim().split('\n'),
      ),
    }));
}

let api: TestApp;
let corporationId: string;
let facilityId: string;
let rental: { tenantId: string; ledgerId: string; email: string; freeUnit: string };

beforeAll(async () => {
  api = await openTestApp('demo_template');
  const corporation = await api.owner
    .selectFrom('corporations')
    .select('id')
    .executeTakeFirstOrThrow();
  corporationId = corporation.id;
  const settings = { location_code: 'TXOFF01', return_fee_cents: 2500 };
  facilityId = await makeFacility(api.owner, { corporation_id: corporationId, ...settings });
});
afterAll(() => api.close());

const today = () => calendarDateIn('America/Chicago', api.ctx.clock.now());

/** A tenant with a sign-in, a rental that owes $200.00, and a unit that is free. */
beforeEach(async () => {
  const tag = randomUUID().slice(0, 8);
  const email = `reyes-${tag}@example.com`;
  const tenantId = await makeTenant(api.owner, { facility_id: facilityId, email });
  await makeUser(api.owner, {
    corporationId,
    email,
    password: 'anchor-axle-26',
    tenantIds: [tenantId],
  });
  const unit = { facility_id: facilityId, name: `U${tag}` };
  const { ledgerId } = await makeLedger(api.owner, api.ctx.vault, { tenant_id: tenantId, unit });
  const rent = {
    category: 'rent' as const,
    description: 'Rent',
    dueOn: today(),
    periodEnd: addDays(today(), 29),
  };
  await postCharges(api.owner, ledgerId, [{ ...rent, priceCents: 20_000 }]);
  const { name } = await api.owner
    .insertInto('units')
    .values({
      facility_id: facilityId,
      name: `F${tag}`,
      width_feet: 12,
      length_feet: 40,
      type_name: 'RV',
    })
    .returning('name')
    .executeTakeFirstOrThrow();
  rental = { tenantId, ledgerId, email, freeUnit: name };
});

/** What each answer gives to the commands after it, by the word that stands for it on the page. */
type Known = Record<string, string>;
// The answers of all commands: what each says is checked where it is tested.
// oxlint-disable-next-line typescript/no-explicit-any
type Answer = any;

/**
 * Types the commands of a recipe, each with --json; a word in capitals is what an earlier answer
 * gave.
 */
async function follow({ commands }: Recipe, given: Known = {}): Promise<Answer[]> {
  const known: Known = {
    TENANT: rental.tenantId,
    LEDGER: rental.ledgerId,
    UNIT: rental.freeUnit,
    EMAIL: rental.email,
    DAY: today(),
    NEW: `new-${rental.email}`,
    ...given,
  };
  const answers: Answer[] = [];
  for (const command of commands) {
    const answer: Answer = await type(wordsOf(command).map((word) => known[word] ?? word));
    if (answer.dryRun !== true) Object.assign(known, newlyKnown(answer));
    answers.push(answer);
  }
  return answers;
}

function newlyKnown(answer: Answer): Known {
  const known: Known = {};
  if (typeof answer.receiptNumber === 'string') known['RECEIPT'] = answer.receiptNumber;
  if (typeof answer.chargeId === 'string') known['CHARGE'] = answer.chargeId;
  if (typeof answer.payLinkId === 'string') known['LINK'] = answer.payLinkId;
  if (typeof answer.creditId === 'string') known['CREDIT'] = answer.creditId;
  return known;
}

/** The words of a command line, without the quotes. */
function wordsOf(line: string): string[] {
  return [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '');
}

async function type([program, ...words]: string[]): Promise<Answer> {
  expect(program).toBe('gatehouse');
  const printed: string[] = [];
  const root = new Command().exitOverride();
  for (const command of databaseCommands)
    root.addCommand(
      command(async (work) => {
        expect(
          await work(api.ctx, { line: (text) => printed.push(text), progress: () => {} }),
        ).toBe(0);
      }),
    );
  await root.parseAsync([...words, '--json'], { from: 'user' });
  return JSON.parse(printed.join('\n'));
}

const balance = async () =>
  (
    await api.owner
      .selectFrom('ledgers')
      .select('balance_cents')
      .where('id', '=', rental.ledgerId)
      .executeTakeFirstOrThrow()
  ).balance_cents;
const sealedCode = async () =>
  (
    await api.owner
      .selectFrom('gate_codes')
      .select('access_code')
      .where('ledger_id', '=', rental.ledgerId)
      .executeTakeFirstOrThrow()
  ).access_code;
const mailsTo = async (address: string) =>
  (
    await api.owner
      .selectFrom('mails')
      .select('subject')
      .where('to_address', '=', address)
      .execute()
  ).length;

/** What each recipe must lead to. */
const outcomes: Record<string, (recipe: Recipe) => Promise<void>> = {
  'Find a tenant': async (recipe) => {
    const [found, shown] = await follow(recipe);
    expect(JSON.stringify(found)).toContain(rental.tenantId);
    expect(JSON.stringify(shown)).toContain(rental.ledgerId);
  },
  'A tenant pays cash': async (recipe) => {
    const [preview, paid, mailed] = await follow(recipe);
    expect(preview.ledgers).toEqual(paid.ledgers);
    expect(await balance()).toBe(10_000);
    expect(mailed).toMatchObject({ receiptNumber: paid.receiptNumber, to: rental.email });
    expect(await mailsTo(rental.email)).toBe(2);
  },
  'A tenant pays by a link': async (recipe) => {
    const [preview, made, listed, revoked] = await follow(recipe);
    expect(preview).toMatchObject({ amount: 200, url: null, mailedTo: rental.email });
    expect(made.url).toContain('/pay/rpt_');
    expect(listed.payLinks).toMatchObject([
      { payLinkId: made.payLinkId, state: 'open', by: 'Ana' },
    ]);
    expect(revoked).toMatchObject({ payLinkId: made.payLinkId, amount: 200 });
    expect(await mailsTo(rental.email)).toBe(1);
  },
  'A check bounces': async (recipe) => {
    const [, reversed] = await follow(recipe);
    expect(reversed).toMatchObject({ amount: 100, fee: 25 });
    expect(await balance()).toBe(22_500);
    expect(await mailsTo(rental.email)).toBeGreaterThan(0);
  },
  'A bank has stopped an account': async (recipe) => {
    const fingerprint = randomUUID();
    const method = {
      tenant_id: rental.tenantId,
      type: 'ach' as const,
      fingerprint,
      refused_at: testClock.now(),
    };
    const methodId = await makePaymentMethod(api.owner, api.ctx.vault, method);
    const stop = { fingerprint, return_code: 'R02', stopped_at: testClock.now() };
    await api.owner.insertInto('stopped_accounts').values(stop).execute();
    const [shown, allowed] = await follow(recipe, { METHOD: methodId });
    expect(shown.methods).toMatchObject([{ methodId, isRefused: true }]);
    expect(allowed).toMatchObject({ methodId, returnCode: 'R02' });
  },
  'A bank payment comes back': async (recipe) => {
    const before = await sealedCode();
    const [changed] = await follow(recipe);
    expect(changed.ledgers).toMatchObject([{ ledgerId: rental.ledgerId, balance: 200 }]);
    expect(await sealedCode()).not.toBe(before);
    expect(await mailsTo(rental.email)).toBe(1);
  },
  'A charge is wrong': async (recipe) => {
    const [added, waived] = await follow(recipe);
    expect(added.ledgers[0].balance).toBe(215);
    expect(waived.ledgers[0].balance).toBe(200);
    expect(await balance()).toBe(17_500);
  },
  'A refund': async (recipe) => {
    const cash = await type([
      'gatehouse',
      'payments',
      'record',
      '--ledger',
      rental.ledgerId,
      '--cash',
      '--amount',
      '200',
    ]);
    const asCash = recipe.commands.map((command) => `${command} --cash`);
    await follow({ ...recipe, commands: asCash }, { RECEIPT: cash.receiptNumber });
    expect(await balance()).toBe(2000);
  },
  'Somebody moves in': async (recipe) => {
    const [free, quote, movedIn] = await follow(recipe);
    expect(JSON.stringify(free)).toContain(rental.freeUnit);
    expect(movedIn.total).toBe(quote.total);
    const { rows } = {
      rows: await api.owner
        .selectFrom('ledgers')
        .select('id')
        .where('tenant_id', '=', rental.tenantId)
        .execute(),
    };
    expect(rows).toHaveLength(2);
  },
  'The rent changes': async (recipe) => {
    const [preview, changed, cancelled] = await follow(recipe, { DAY: addDays(today(), 40) });
    expect({ ...preview, dryRun: false }).toEqual(changed);
    expect(cancelled).toMatchObject({ from: 200, to: 215, isCancelled: true });
    expect(await mailsTo(rental.email)).toBe(2);
  },
  'A tenant changes units': async (recipe) => {
    const [preview, planned, cancelled] = await follow(recipe, { DAY: addDays(today(), 10) });
    expect({ ...preview, dryRun: false }).toEqual(planned);
    expect(planned).toMatchObject({ toUnit: rental.freeUnit, isDone: false });
    expect(cancelled).toMatchObject({ toUnit: rental.freeUnit, isCancelled: true });
  },
  'A credit moves to another unit of the tenant': async (recipe) => {
    const unit = { facility_id: facilityId, name: `${rental.freeUnit}b` };
    const other = await makeLedger(api.owner, api.ctx.vault, { tenant_id: rental.tenantId, unit });
    const [paid, moved] = await follow(recipe, { OTHER: other.ledgerId });
    expect(paid.ledgers).toMatchObject([{ balance: -15 }]);
    expect(moved.ledgers).toMatchObject([{ balance: 0 }, { balance: -15 }]);
  },
  'Somebody moves out': async (recipe) => {
    await follow(recipe, { DAY: addDays(today(), 10) });
    const { moved_out_on } = await api.owner
      .selectFrom('ledgers')
      .select('moved_out_on')
      .where('id', '=', rental.ledgerId)
      .executeTakeFirstOrThrow();
    expect(moved_out_on).toBeNull();
  },
  'A tenant will pay later': async (recipe) => {
    const until = addDays(today(), 10);
    const [held, ended] = await follow(recipe, { DAY: until });
    expect(held).toMatchObject({ isOnHold: true, until });
    expect(ended).toMatchObject({ isOnHold: false, until: null });
  },
  'A tenant has died': async (recipe) => {
    await makeAutopay(
      api.owner,
      rental.ledgerId,
      await makePaymentMethod(api.owner, api.ctx.vault, { tenant_id: rental.tenantId }),
      api.ctx.clock.now(),
    );
    await follow(recipe);
    const autopay = await api.owner
      .selectFrom('autopays as a')
      .leftJoin('mandate_ends as e', 'e.mandate_id', 'a.mandate_id')
      .select(['a.active', 'e.reason'])
      .where('a.ledger_id', '=', rental.ledgerId)
      .executeTakeFirstOrThrow();
    expect(autopay).toEqual({ active: false, reason: 'switched_off' });
    const { disabled_at } = await api.owner
      .selectFrom('users')
      .select('disabled_at')
      .where('email', '=', rental.email)
      .executeTakeFirstOrThrow();
    expect(disabled_at).not.toBeNull();
  },
  'An email address changes': async (recipe) => {
    await follow(recipe);
    const links = await api.owner
      .selectFrom('user_tenants')
      .select('user_id')
      .where('tenant_id', '=', rental.tenantId)
      .execute();
    expect(links).toEqual([]);
    for (const address of [rental.email, `new-${rental.email}`])
      expect(await mailsTo(address)).toBe(1);
  },
  'The day’s end': async (recipe) => {
    await follow(recipe);
  },
};

describe('the recipes of docs/staff-commands.md', () => {
  const withCommands = recipes.filter(({ commands }) => commands.length > 0);

  test('each have an outcome that is checked', () => {
    expect(withCommands.map(({ heading }) => heading)).toEqual(Object.keys(outcomes));
  });

  test.each(withCommands)(
    '"$heading" works as it is typed, and leaves sound books',
    async (recipe) => {
      await outcomes[recipe.heading]!(recipe);
      await expectSoundBooks(api.owner);
    },
  );
});
