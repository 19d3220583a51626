import { randomUUID } from 'node:crypto';
import { addDays, calendarDateIn } from '@gatehouse/contract/dates';
import { officeVerbs, type OfficeVerbName } from '@gatehouse/contract/office/verbs';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { raiseAlarm } from '#features/base/alarms/alarms.ts';
import {
  makeAutopay,
  makeCorporation,
  makeFacility,
  makePaymentMethod,
  makeTenant,
} from '#seeds/builders.ts';
import { useTestApp } from '#test/app.ts';
import { expectSoundBooks } from '#test/books.ts';
import { cliOf } from '#test/cli.ts';
import { makeOwingRental, makeRentalOf, type OwingRental } from '#test/owing-rental.ts';
import { sumOfTables } from '#test/sum-of-tables.ts';
import { databaseCommands } from './commands.ts';
import { staffReads } from './staff-reads.ts';
import { addRows, getRow } from '#test/rows.ts';

const api = useTestApp('empty_template');
let facilityId: string;
let rental: OwingRental;

beforeAll(async () => {
  const corporation_id = await makeCorporation(api.owner);
  const settings = { location_code: 'TXOFF01', return_fee_cents: 2500, deposit_cents: 5000 };
  facilityId = await makeFacility(api.owner, { corporation_id, ...settings });
  await makeFacility(api.owner, { corporation_id, location_code: 'AZPHX01' });
});

const today = () => calendarDateIn('America/Chicago', api.ctx.clock.now());

beforeEach(async () => {
  rental = await makeOwingRental(api, facilityId);
});

const wordsOf = (name: OfficeVerbName) => officeVerbs[name].path.split('/').slice(-2);
const act = (name: OfficeVerbName, ...args: string[]) => {
  const [subject, action] = wordsOf(name);
  return cliOf(api, subject!)(action!, ...args);
};
const done = async (name: OfficeVerbName, ...args: string[]) =>
  JSON.parse(await act(name, ...args, '--json')) as Record<string, string>;

const ledger = () => ['--ledger', rental.ledgerId];
const tenant = () => ['--tenant', rental.tenantId];
const here = ['--facility', 'TXOFF01'];
const terms = () => ['--unit', rental.unit, '--on', today(), '--rate', '180'];
const paid = async (amount = '100') => {
  const check = ['--type', 'check', '--number', '1042', '--amount', amount];
  const { receiptNumber } = await done('payments.record', ...ledger(), ...check, '--prepaid');
  return ['--receipt-number', receiptNumber!];
};
const credit = ['--amount', '25', '--description', 'Gate was out of order'];

const sentDocument = async () =>
  (await done('documents.send', ...(await given['documents.send']!()))).documentId!;
const makeUnit = async () => {
  const size = ['--type-name', 'Boat', '--width-feet', '12', '--length-feet', '30'];
  const name = `N${rental.unit.replace(/\D/g, '')}`;
  const { unitIds } = await done('units.add', ...here, '--units', name, ...size);
  return ['--unit', unitIds![0]!];
};

const proof = async () => {
  const policy = { company: 'Lone Star', policy_number: 'LS-1', starts_on: today() };
  await addRows(api.owner, 'private_policies', { ledger_id: rental.ledgerId, ...policy });
  const { id } = await getRow(api.owner, 'private_policies', 'id', { ledger_id: rental.ledgerId });
  return ['--proof', id];
};

/** With what each verb can be done: a new one has its line here, and its command by itself. */
const given: Partial<Record<OfficeVerbName, () => string[] | Promise<string[]>>> = {
  'tenants.add': () => [
    ...[...here, '--first-name', 'Max', '--last-name', 'Voss', '--email', 'max@example.com'],
    ...['--phone', '(817) 555-0100', '--street1', '1 Pier', '--city', 'Azle', '--region', 'TX'],
    ...['--postal-code', '76020'],
  ],
  'tenants.change': () => [...tenant(), '--company', 'Reyes Marine LLC'],
  'tenants.refuse': () => [...tenant(), '--why', 'Left trash behind.'],
  async 'tenants.accept'() {
    await done('tenants.refuse', ...tenant(), '--why', 'Left trash behind.');
    return tenant();
  },
  'tenants.tax': () => [
    ...[...tenant(), '--taxes', 'none', '--paper', 'TX 01-339', '--on', addDays(today(), 10)],
  ],
  'tenants.recordDeath': () => [...tenant(), '--name', 'Ann Reyes', '--email', 'ann@example.com'],
  async 'tenants.revokeDeath'() {
    await done('tenants.recordDeath', ...tenant(), '--name', 'Ann Reyes');
    return tenant();
  },
  'tenants.email': () => [...tenant(), '--email', `new-${rental.email}`],
  async 'tenants.join'() {
    const { email } = rental;
    await makeTenant(api.owner, { facility_id: facilityId, email, first_name: 'Ann' });
    return tenant();
  },
  'tenants.invite': () => [...here, '--most', '200'],
  'payments.record': () => [...ledger(), '--type', 'cash', '--amount', '100'],
  'payments.reverse': async () => [...(await paid()), '--reason', 'nsf'],
  'payments.refund': async () => [...(await paid()), '--amount', '20', '--way', 'cash'],
  'payments.mailReceipt': () => paid(),
  async 'payments.allowAccount'() {
    const fingerprint = randomUUID();
    const now = api.ctx.clock.now();
    const account = { type: 'ach' as const, fingerprint, refused_at: now };
    const made = { tenant_id: rental.tenantId, ...account };
    const methodId = await makePaymentMethod(api.owner, api.ctx.vault, made);
    const stop = { fingerprint, return_code: 'R02', stopped_at: now };
    await addRows(api.owner, 'stopped_accounts', stop);
    return [...tenant(), '--method', methodId];
  },
  'payLinks.create': () => [...ledger(), '--mailed'],
  'payLinks.revoke': async () => [
    '--pay-link',
    (await done('payLinks.create', ...ledger())).payLinkId!,
  ],
  'statements.issue': () => [...tenant(), '--from', today(), '--to', today()],
  'forms.add': () => [...here, '--name', rental.unit, '--text', 'For {unit}\n\n{signature}'],
  'forms.retire': async () => [
    '--form',
    (await done('forms.add', ...(await given['forms.add']!()))).formId!,
  ],
  'documents.send': async () => [...ledger(), ...(await given['forms.retire']!())],
  'documents.resend': async () => ['--document', await sentDocument()],
  'documents.void': async () => ['--document', await sentDocument()],
  'charges.add': () => [
    ...[...ledger(), '--category', 'fee', '--description', 'Lock cut', '--amount', '15'],
  ],
  'charges.waive': () => ['--charge', rental.chargeId, '--amount', '10'],
  'charges.writeOff': () => [...ledger(), '--amount', '10', '--why', 'moved away'],
  'journal.close': () => [
    ...['--facility', 'TXOFF01', '--month', addDays(today(), -40).slice(0, 7)],
    ...['--why', 'for the accountant'],
  ],
  'credits.add': () => [...ledger(), ...credit],
  async 'rentals.assign'() {
    const other = await makeTenant(api.owner, { facility_id: facilityId, first_name: 'Ann' });
    return [...ledger(), '--to-tenant', other];
  },
  async 'credits.move'() {
    await paid('215');
    const other = await makeRentalOf(api, facilityId, rental.tenantId, `${rental.unit}b`);
    return ['--from-ledger', rental.ledgerId, '--to-ledger', other, '--amount', '15'];
  },
  async 'credits.payOut'() {
    await paid('215');
    return [...ledger(), '--way', 'check', '--number', '7'];
  },
  'credits.reverse': async () => [
    '--credit',
    (await done('credits.add', ...ledger(), ...credit)).creditId!,
  ],
  'rentals.quote': () => [...tenant(), ...terms()],
  'rentals.mailQuote': () => [...tenant(), ...terms()],
  'rentals.moveIn': () => [...tenant(), ...terms(), '--gate-code', `${rental.unit.slice(1, 7)}#`],
  'rentals.moveOut': () => [...ledger(), '--on', addDays(today(), 10), '--credit', 'keep'],
  'rentals.transfer': () => [...ledger(), '--unit', rental.unit, '--on', addDays(today(), 10)],
  'rentals.rate': () => [...ledger(), '--amount', '215', '--on', addDays(today(), 40)],
  'rentals.tax': () => [...ledger(), '--taxes', 'charged', '--on', addDays(today(), 10)],
  'rentals.overlock': ledger,
  async 'rentals.release'() {
    await done('rentals.overlock', ...ledger());
    return ledger();
  },
  'rentals.hold': () => [...ledger(), '--until', addDays(today(), 10), '--why', 'pays later'],
  async 'rentals.endHold'() {
    await done('rentals.hold', ...ledger(), '--why', 'pays later');
    return ledger();
  },
  'rentals.changeCode': ledger,
  'rentals.authorize': () => [...ledger(), '--name', 'Ada Okafor', '--last-on', today()],
  'rentals.endAuthorization': async () => [
    '--person',
    (await done('rentals.authorize', ...ledger(), '--name', 'Ada Okafor')).personId!,
  ],
  'insurance.accept': proof,
  'insurance.refuse': async () => [...(await proof()), '--refusal', 'The coverage is too low.'],
  'notices.send': () => [...ledger(), '--subject', 'Past due', '--text', '{owed} is past due.'],
  async 'autopay.stop'() {
    const method = await makePaymentMethod(api.owner, api.ctx.vault, {
      tenant_id: rental.tenantId,
    });
    await makeAutopay(api.owner, rental.ledgerId, method, api.ctx.clock.now());
    return ledger();
  },
  async 'alarms.close'() {
    const key = randomUUID();
    const alarm = { kind: 'card_dispute' as const, sentence: 'A card payment is disputed.' };
    await raiseAlarm(api.ctx, api.ctx.db, { ...alarm, facts: {}, key, facilityId });
    const { id } = await getRow(api.owner, 'alarms', 'id', { key });
    return ['--alarm', id];
  },
  'units.add': () => [
    ...[...here, '--units', 'K101-K140', '--type-name', 'Boat', '--width-feet', '12'],
    ...['--length-feet', '30', '--street-rate', '189'],
  ],
  async 'units.renameType'() {
    await makeUnit();
    return [...here, '--type-name', 'Boat', '--new-name', 'Covered boat'];
  },
  'units.rate': async () => [...(await makeUnit()), '--street-rate', '210'],
  'units.close': async () => [...(await makeUnit()), '--why', 'Its door is broken.'],
  async 'units.open'() {
    const unit = await makeUnit();
    await done('units.close', ...unit, '--why', 'Its door is broken.');
    return unit;
  },
};

const verbs = (Object.keys(officeVerbs) as OfficeVerbName[]).filter(
  (name) => !officeVerbs[name].verb.isByAccount,
);

describe.each(verbs)('the command of %s', (name) => {
  test('has help for each of its options', () => {
    const [subject, action] = wordsOf(name);
    const parent = databaseCommands(() => Promise.resolve()).find((one) => one.name() === subject);
    const command = parent!.commands.find((one) => one.name() === action)!;
    expect(command.description()).toBe(`${officeVerbs[name].verb.summary}.`);
    expect(command.options.filter(({ description }) => description === '')).toEqual([]);
  });

  test('previews what it would do, does it once under a key, and says so', async () => {
    const args = await given[name]!();
    // What is on file of a tenant is personal data: a preview that shows it leaves an event.
    const isNoted = [
      ...['tenants.join', 'tenants.change', 'tenants.invite'],
      ...['tenants.recordDeath', 'rentals.assign', 'statements.issue'],
    ].includes(name);
    const without = isNoted ? ['audit_events', 'audit_chain'] : [];
    const before = await sumOfTables(api.owner, ...without);
    const { dryRun, ...preview } = await done(name, ...args, '--dry-run');
    expect(dryRun).toBe(true);
    expect(officeVerbs[name].reply.parse(preview)).toEqual(preview);
    expect(await act(name, ...args, '--dry-run')).toContain('nothing was changed.');
    const elsewhere = ['--facility', 'AZPHX01'];
    const refused = args.includes('TXOFF01') ? args.slice(2) : [...args, ...elsewhere];
    await expect(act(name, ...refused)).rejects.toThrow(/^(There is no|Name) /);
    expect(await sumOfTables(api.owner, ...without)).toEqual(before);

    // It writes nothing, so that it is done again.
    if (name === 'rentals.quote') return;
    const once = [...args, '--by', 'Ana', '--key', randomUUID()];
    const [first, second] = await Promise.all([done(name, ...once), done(name, ...once)]);
    expect(second).toEqual(first);
    const { dryRun: isPreview, ...reply } = first;
    expect(isPreview).toBe(false);
    expect(officeVerbs[name].reply.parse(reply)).toEqual(reply);
    const after = await sumOfTables(api.owner);
    expect(await act(name, ...once)).toMatch(/This was done before under the same key.*\.$/);
    expect(await sumOfTables(api.owner)).toEqual(after);
  });
});

test('the books are sound after all commands', () => expectSoundBooks(api.owner));

/** What each read is asked. */
const asked: Record<string, () => string[] | Promise<string[]>> = {
  'tenants find': () => ['--text', rental.email],
  'tenants show': tenant,
  'rentals code': ledger,
  async 'pay-links list'() {
    await done('payLinks.create', ...ledger());
    return tenant();
  },
  async 'forms list'() {
    await given['forms.retire']!();
    return [];
  },
  async 'documents list'() {
    await sentDocument();
    return tenant();
  },
  'units free': () => ['--on', today()],
  'ledgers late': () => ['--days', '5'],
  'deposits show': () => ['--on', today()],
  async 'alarms list'() {
    await given['alarms.close']!();
    return ['--all'];
  },
  'alarms show': () => given['alarms.close']!(),
};

test.each(staffReads)('$words answers in the shape of its reply', async ({ words, reply }) => {
  const [subject, action] = words.split(' ');
  const cli = cliOf(api, subject!);
  const args = [action!, ...(await asked[words]!())];
  const answer: unknown = JSON.parse(await cli(...args, '--json'));
  expect(reply.parse(answer)).toEqual(answer);
  expect(await cli(...args)).not.toMatch(/undefined|\[object/);
  await expect(cli(...args, '--facility', 'NOWHERE')).rejects.toThrow('There is no facility');
  const elsewhere = await cli(...args, '--facility', 'AZPHX01', '--json').catch(String);
  const { tenantId, ledgerId, unit } = rental;
  for (const own of [tenantId, ledgerId, unit, 'is disputed']) {
    if (!args.includes(own)) expect(elsewhere).not.toContain(own);
  }
});

test('what was done is printed by the names of its facts, sums in dollars and lists as tables', async () => {
  expect(await act('charges.waive', '--charge', rental.chargeId)).toMatch(
    new RegExp(
      String.raw`^credit id +\S{36}
amount +\$200\.00
tax1 +\$0\.00
tax2 +\$0\.00
late fee +none
ledgers:
  ledger id +unit name +balance
  ${rental.ledgerId}  U\S+ +\$0\.00
Done\.$`,
    ),
  );
});

test('a move-in prints no gate code; rentals code does, and is in the audit trail', async () => {
  const movedIn = await act('rentals.moveIn', ...tenant(), ...terms(), '--gate-code', '48210#');
  expect(movedIn).not.toContain('48210#');
  const [ledgerId] = /\S{36}(?= +F)/.exec(movedIn)!;
  const rentals = cliOf(api, 'rentals');
  const shown = await rentals('code', '--ledger', ledgerId, '--by', 'Ana', '--json');
  expect(JSON.parse(shown)).toEqual({
    ledgerId,
    unitName: rental.unit,
    gateCode: '48210#',
    others: [],
  });
  const events = await api.owner
    .selectFrom('audit_events')
    .select('details')
    .where('ledger_id', '=', ledgerId)
    .orderBy('position')
    .execute();
  expect(events.map(({ details }) => details?.['verb'])).toEqual([
    'rentals.moveIn',
    'rentals.code',
  ]);
  const { answer } = await api.owner
    .selectFrom('staff_actions')
    .select('answer')
    .where('verb', '=', 'rentals.moveIn')
    .orderBy('at', 'desc')
    .executeTakeFirstOrThrow();
  expect(JSON.stringify(answer)).not.toContain('48210#');
  await expect(rentals('code', '--ledger', randomUUID())).rejects.toThrow('There is no rental');
});

test.each([
  ['C301', /option '--ledger <id>' argument 'C301' is invalid.*"tenants show" print them/],
  [undefined, "required option '--ledger <id>' not specified"],
])('a rental %s is refused with the option', async (typed, sentence) => {
  const option = typed === undefined ? [] : ['--ledger', typed];
  await expect(act('rentals.overlock', ...option)).rejects.toThrow(sentence);
});
