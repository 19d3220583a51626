import { afterAll, beforeEach, expect, test } from 'vitest';
import { openTestApp, type TestApp } from '#test/app.ts';
import { readMails } from '#test/mails.ts';
import { changeRows, findRows, getRow } from '#test/rows.ts';
import {
  deleteFolders,
  exported,
  faultsOf,
  importInto,
  sound,
  type Files,
} from './import.fixture.ts';

let api: TestApp;
const opened: TestApp[] = [];
beforeEach(async () => {
  api = await openTestApp('empty_template');
  opened.push(api);
});
afterAll(async () => {
  for (const one of opened) await one.close();
  await deleteFolders();
});

const OFFICE = 'office@example.com';

/** Three who share a mailbox, in rows 2 to 4; `joined` is the cell of each if the file has it. */
function three(joined?: string): Files {
  const header =
    'facility,tenant_id,first_name,last_name,email,phone,street1,city,region,postal_code';
  const row = (id: string, first: string, email: string) =>
    `TXDFW03,${id},${first},Lee,${email},,18 Heron Lane,Azle,TX,76020`;
  const rows = [
    row('T1', 'Ann', OFFICE),
    row('T2', 'Ben', OFFICE.toUpperCase()),
    row('T3', 'Cleo', OFFICE),
  ];
  const lines =
    joined === undefined
      ? [header, ...rows]
      : [`${header},joined`, ...rows.map((line) => `${line},${joined}`)];
  return {
    ...filesOf('corporation.csv', 'facilities.csv'),
    'tenants.csv': `${lines.join('\n')}\n`,
  };
}
const filesOf = (...names: string[]): Files =>
  Object.fromEntries(names.map((name) => [name, sound[name]!]));

/** The first names of the records that the address signs in to after registering. */
async function reached(email = OFFICE): Promise<string[]> {
  const place = { corporationCode: 'ANCHOR', locationCode: 'TXDFW03' };
  const post = (path: string, body: object) =>
    api.call('POST', `/users/${path}`, { body: { ...place, ...body } });
  const { token } = (await post('register', { email })).body as { token: string };
  const code = /^\d{8}$/m.exec((await readMails(api)).at(-1)!.text)?.[0];
  if (code === undefined) return [];
  await post('verify', { token, code });
  await post('password-update', { token, password: 'harbor gate 81' });
  const { body } = await post('login', { username: email, password: 'harbor gate 81' });
  const names: string[] = [];
  for (const { id } of body.tenants as { id: string }[])
    names.push((await getRow(api.owner, 'tenants', 'first_name', { id })).first_name);
  return names.toSorted();
}
const joinedOnes = async () =>
  (await findRows(api.owner, 'tenants', ['first_name', 'joined_at']))
    .filter(({ joined_at }) => joined_at !== null)
    .map(({ first_name }) => first_name)
    .toSorted();

// asvs 8.2.2
test('three names that share an address become no sign-in that sees all three: the file is refused', async () => {
  const result = await importInto(api, three());
  expect(faultsOf(result)).toEqual(
    [
      ['2', 'Ben Lee and Cleo Lee'],
      ['3', 'Ann Lee and Cleo Lee'],
      ['4', 'Ann Lee and Ben Lee'],
    ].map(
      ([line, names]) =>
        `tenants.csv, line ${line}, email: is also that of ${names}: say yes in the column joined where one sign-in may see all of them (or --joined ${OFFICE}), else no.`,
    ),
  );
  expect(await findRows(api.owner, 'tenants', ['id'])).toEqual([]);
});

test('with no they are imported, and reach nothing before staff join them', async () => {
  expect(faultsOf(await importInto(api, three('no')))).toEqual([]);
  expect([await reached(), await joinedOnes()]).toEqual([[], []]);
});

test('with yes, or listed for the command, one sign-in sees all of them', async () => {
  expect(faultsOf(await importInto(api, three(), false, null, [OFFICE.toUpperCase()]))).toEqual([]);
  expect(await reached()).toEqual(['Ann', 'Ben', 'Cleo']);
  const other = await openTestApp('empty_template');
  opened.push(other);
  api = other;
  expect(faultsOf(await importInto(api, three('yes')))).toEqual([]);
  expect(await reached()).toEqual(['Ann', 'Ben', 'Cleo']);
});

test('a new record that a yes joins has its event, once, and one with a no has none', async () => {
  const events = async () =>
    (await findRows(api.owner, 'audit_events', ['tenant_id', 'details']))
      .filter(({ details }) => details?.['verb'] === 'import')
      .map(({ details }) => details);
  await importInto(api, three('no'));
  expect(await events()).toEqual([]);
  await importInto(api, three('yes'));
  const joined = Array.from({ length: 3 }, () => ({ verb: 'import', joined: 'true' }));
  expect(await events()).toEqual(joined);
  await importInto(api, three('yes'));
  expect(await events()).toEqual(joined);
  const other = await openTestApp('empty_template');
  opened.push(other);
  api = other;
  await importInto(api, three('yes'));
  expect(await events()).toEqual(joined);
});

test('a listed address joins no other one', async () => {
  const rows = three()['tenants.csv']!;
  const others = rows.replaceAll(/office/gi, 'desk').replaceAll('TXDFW03,T', 'TXDFW03,D');
  const files = { ...three(), 'tenants.csv': `${rows}${others.replace(/^.*\n/, '')}` };
  const result = await importInto(api, files, false, null, [OFFICE]);
  expect(result.faults.listed.map(({ line }) => line)).toEqual([5, 6, 7]);
});

test('a row that comes later is asked about too, and what is here already is not', async () => {
  const [header, ann, ben, cleo] = three()['tenants.csv']!.split('\n');
  const of = (...rows: string[]) => ({ ...three(), 'tenants.csv': `${rows.join('\n')}\n` });
  await importInto(api, of(header!, ann!));
  expect(await reached()).toEqual(['Ann']);
  const refused = await importInto(api, of(header!, ben!, cleo!.replace('office', 'cleo')));
  expect(faultsOf(refused)).toEqual([
    expect.stringContaining('line 2, email: is also that of Ann Lee:'),
  ]);
  expect(faultsOf(await importInto(api, of(`${header!},joined`, `${ben!},no`)))).toEqual([]);
  expect(faultsOf(await importInto(api, of(header!, ann!, ben!)))).toEqual([]);
  expect(await reached()).toEqual(['Ann']);
});

test('one name may have many records, at many facilities', async () => {
  const files = three();
  files['tenants.csv'] = files['tenants.csv']!.replace('Ben', 'ANN').replace('Cleo', 'Ánn');
  expect(faultsOf(await importInto(api, files))).toEqual([]);
  expect(await reached()).toHaveLength(3);
});

test('a record that moves to a shared address is asked about, and keeps no yes of its old one', async () => {
  const [header, ann, ben] = three('yes')['tenants.csv']!.split('\n');
  const of = (...rows: string[]) => ({ ...three(), 'tenants.csv': `${rows.join('\n')}\n` });
  await importInto(api, of(header!, ann!, ben!));
  expect(await joinedOnes()).toEqual(['Ann', 'Ben']);
  const away = ben!.replace(OFFICE.toUpperCase(), 'ben@example.com').replace(/yes$/, '');
  await importInto(api, of(header!, away));
  expect(await joinedOnes()).toEqual(['Ann']);
  expect(faultsOf(await importInto(api, of(header!, ben!.replace(/yes$/, ''))))).toEqual([
    expect.stringContaining('is also that of Ann Lee'),
  ]);
  const { files } = await importInto(api, of(header!, ben!));
  expect(files.find(({ file }) => file === 'tenants.csv')).toMatchObject({ made: 0, changed: 1 });
  expect(await joinedOnes()).toEqual(['Ann', 'Ben']);
});

test('a yes is for the address of its row, not for one that staff gave since', async () => {
  await importInto(api, three('no'));
  const { id } = await getRow(api.owner, 'tenants', 'id', { first_name: 'Ben' });
  await changeRows(api.owner, 'tenants', { email: 'ben@example.com' }, { id });
  await importInto(api, three('yes'));
  expect(await joinedOnes()).toEqual(['Ann', 'Cleo']);
});

test('an export says of each who shares an address whether it is reached, and imports again', async () => {
  await importInto(api, three('no'));
  const { id } = await getRow(api.owner, 'tenants', 'id', { first_name: 'Ann' });
  await changeRows(api.owner, 'tenants', { joined_at: api.ctx.clock.now() }, { id });
  const folder = await exported(api);
  api = await openTestApp('empty_template');
  opened.push(api);
  expect(faultsOf(await importInto(api, folder))).toEqual([]);
  expect(await joinedOnes()).toEqual(['Ann']);
  expect(await reached()).toEqual(['Ann']);
});

test('a record gets a name of which nothing is the same only where the file says that its sign-in may see it', async () => {
  const [header, ann] = three()['tenants.csv']!.split('\n');
  const of = (row: string) => ({ ...three(), 'tenants.csv': `${header}\n${row}\n` });
  const named = (first: string, last: string) => of(ann!.replace('Ann,Lee', `${first},${last}`));
  const faults = async (files: Files, joined: string[] = []) =>
    faultsOf(await importInto(api, files, false, null, joined));
  await importInto(api, of(ann!));
  // Nobody signs in to it yet.
  expect(await faults(named('Dora', 'Moss'))).toEqual([]);
  expect(await reached()).toEqual(['Dora']);
  for (const files of [named('Dora', 'Lee'), named('Lee', 'Dóra'), named('Lee', 'Ann')])
    expect(await faults(files)).toEqual([]);
  const asked = [
    `tenants.csv, line 2, last_name: is of another name than Lee Ann, whose sign-in reaches this record: give the new tenant an own tenant_id, or say yes in the column joined where that sign-in may see it (or --joined ${OFFICE}).`,
  ];
  expect(await faults(named('Dora', 'Moss'))).toEqual(asked);
  const moved = named('Dora', 'Moss')['tenants.csv'].replace(OFFICE, 'dora@example.com');
  const isDryRun = true;
  expect(faultsOf(await importInto(api, { ...three(), 'tenants.csv': moved }, isDryRun))).toEqual(
    [],
  );
  expect(await faults(named('Dora', 'Moss'), [OFFICE])).toEqual([]);
  expect(await reached()).toEqual(['Dora']);
});
