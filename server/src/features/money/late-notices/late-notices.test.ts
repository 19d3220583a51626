import { randomUUID } from 'node:crypto';
import { addDays, calendarDateIn, formatDate } from '@gatehouse/contract/dates';
import { standardNotice } from '@gatehouse/contract/late-notices';
import { sql } from 'kysely';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { makeLedger, makeTenant, postCharges } from '#seeds/builders.ts';
import { useTestApp } from '#test/app.ts';
import { mailsTo } from '#test/mails.ts';
import { callOffice, doVerb, signInStaff } from '#test/office.ts';
import { pagesOf } from '#test/pdf.ts';

let clerk: string;
let manager: string;
let today: string;
const api = useTestApp('demo_template');
beforeAll(async () => {
  clerk = await signInStaff(api, 'clerk');
  manager = await signInStaff(api, 'manager');
  today = calendarDateIn('America/Chicago', api.ctx.clock.now());
});
beforeEach(async () => {
  await api.owner.deleteFrom('late_notices').execute();
  await api.owner.deleteFrom('late_letters').execute();
});

type Late = Record<string, unknown> & { id: string; unitName: string; firstName: string };
const late = async (query = {}): Promise<Late[]> =>
  (
    await callOffice(api, 'GET', '/office/late', {
      as: manager,
      query: { locationCode: 'TXDFW03', ...query },
    })
  ).body.rows as Late[];
const idOf = async (unitName: string) =>
  (await late()).find((row) => row.unitName === unitName && row.firstName === 'Dana')!.id;
const send = (body: object, as = clerk) =>
  doVerb(api, as, 'notices/send', { ...standardNotice, ...body });
const toDana = async () =>
  (await mailsTo(api, 'dana@example.com')).filter(({ kind }) => kind === 'late_notice');

describe('a late notice', () => {
  test('is previewed for one tenant with the number of mails, and mails nothing before it is sent', async () => {
    const before = (await toDana()).length;
    const { status, body } = await send({ ledgerIds: [await idOf('A101')], isPreview: true });
    expect([status, body]).toEqual([
      200,
      {
        recipients: 1,
        skipped: [],
        first: {
          to: 'dana@example.com',
          // One mail about everything that is late of the record.
          subject: 'Unit A101 and C014: $664.50 is past due',
          text: expect.stringMatching(/^Hello Dana,\n\n\$664\.50 has been due since/) as string,
        },
      },
    ]);
    expect(await toDana()).toHaveLength(before);
    expect((await late())[0]).toMatchObject({ noticedOn: null });
  });

  test('goes to a tenant once a day, whichever unit is named and by whom, and is on their page', async () => {
    const before = (await toDana()).length;
    const sent = await send({ ledgerIds: [await idOf('A101'), await idOf('C014')] });
    expect(sent.body).toMatchObject({ recipients: 1, skipped: [] });
    const again = await send({ ledgerIds: [await idOf('C014')] }, manager);
    expect(again.body).toMatchObject({
      recipients: 0,
      first: null,
      skipped: [{ tenantName: 'Dana Reyes', because: 'Mailed today by Ana Flores.' }],
    });
    const mails = await toDana();
    expect(mails).toHaveLength(before + 1);
    expect(mails.at(-1)!.text).toContain('Unit C014');
    const rows = await late();
    const mine = rows.filter(({ firstName }) => firstName === 'Dana');
    expect(mine.map(({ noticedOn }) => noticedOn)).toEqual(mine.map(() => today));
    const { tenantId } = mine[0]!;
    const page = await callOffice(api, 'GET', `/office/tenants/${String(tenantId)}/mails`, {
      as: clerk,
    });
    expect(page.body.rows[0].subject).toBe(mails.at(-1)!.subject);
  });

  test('is sent once under its key, and by one of two clerks at once', async () => {
    const before = (await toDana()).length;
    const ledgerIds = [await idOf('A101')];
    const key = randomUUID();
    const answers = await Promise.all([
      send({ ledgerIds, key }),
      send({ ledgerIds, key }),
      send({ ledgerIds }, manager),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(answers[0].body).toEqual(answers[1].body);
    expect((answers[0].body.recipients as number) + (answers[2].body.recipients as number)).toBe(1);
    expect(await toDana()).toHaveLength(before + 1);
  });

  test('leaves out what is on hold, and says so where nothing else is late', async () => {
    const [a101, c014] = [await idOf('A101'), await idOf('C014')];
    const hold = (verb: string, ledgerId: string, more = {}) =>
      doVerb(api, manager, `rentals/${verb}`, { why: 'insurance pays', ledgerId, ...more });
    const until = addDays(today, 7);
    expect((await hold('hold', a101, { until })).status).toBe(200);
    const one = await send({ ledgerIds: [a101], isPreview: true });
    expect(one.body.first.subject).toBe('Unit C014: $450.00 is past due');
    await hold('hold', c014);
    const none = await send({ ledgerIds: [a101, c014], isPreview: true });
    expect(none.body).toMatchObject({ recipients: 0, skipped: [{ because: 'On hold.' }] });
    const held = await late({ hold: 'on' });
    expect(held.map(({ unitName, heldUntil }) => [unitName, heldUntil])).toEqual(
      expect.arrayContaining([
        ['A101', until],
        ['C014', null],
      ]),
    );
    expect((await late({ hold: 'off' })).some(({ id }) => id === a101 || id === c014)).toBe(false);
    for (const ledgerId of [a101, c014])
      expect((await hold('end-hold', ledgerId)).status).toBe(200);
    expect((await late({ hold: 'on' })).length).toBe(0);
  });

  test('is not for what is due today: a charge added today is late tomorrow, in the list as well', async () => {
    const facility = await api.owner
      .selectFrom('facilities')
      .select('id')
      .where('location_code', '=', 'TXDFW03')
      .executeTakeFirstOrThrow();
    const { ledgerId } = await makeLedger(api.owner, api.ctx.vault, {
      tenant_id: await makeTenant(api.owner, { facility_id: facility.id, first_name: 'Noor' }),
      unit: { facility_id: facility.id, name: 'Z900' },
    });
    const charge = await doVerb(api, clerk, 'charges/add', {
      why: 'Lock cut',
      ledgerId,
      category: 'fee',
      description: 'Lock cut',
      amount: 25,
    });
    expect(charge.body.gate).toEqual({
      effect: 'closes',
      sentence: 'The gate closes at once. It opens again once $25.00 is paid.',
    });
    const find = async () => (await late()).find(({ id }) => id === ledgerId);
    const isNew = async () => {
      const { body } = await callOffice(api, 'GET', '/office/today', { as: clerk });
      return (body.late.rows as Late[]).some(({ id }) => id === ledgerId);
    };
    expect([await find(), await isNew()]).toEqual([undefined, false]);
    const skipped = await send({ ledgerIds: [ledgerId] });
    expect(skipped.body).toMatchObject({
      recipients: 0,
      skipped: [{ tenantName: 'Noor Reyes', because: 'Nothing is late.' }],
    });
    const description = 'Battery charging';
    const dueOn = addDays(today, -1);
    await postCharges(api.owner, ledgerId, [
      { category: 'service', description, dueOn, priceCents: 1000 },
    ]);
    expect(await find()).toMatchObject({
      balance: 35,
      owedSince: dueOn,
      daysOwed: 1,
      bucket: '1-10',
      isLockedOut: true,
    });
    expect(await isNew()).toBe(true);
    expect((await late({ bucket: '1-10' })).some(({ id }) => id === ledgerId)).toBe(true);
    expect((await send({ ledgerIds: [ledgerId], isPreview: true })).body).toMatchObject({
      recipients: 1,
      first: { subject: 'Unit Z900: $35.00 is past due' },
    });
  });

  test('refuses a placeholder that is none, several facilities and a rental out of reach', async () => {
    const ledgerIds = [await idOf('A101')];
    const typo = await send({ ledgerIds, text: 'Hello {name}' });
    expect([typo.status, typo.body.message]).toEqual([
      422,
      expect.stringMatching(/^\{name\} is no placeholder: there are \{firstName\}/),
    ]);
    const { rows } = await sql<{ id: string }>`
      SELECT l.id FROM ledgers l JOIN units u ON u.id = l.unit_id JOIN facilities f ON f.id = u.facility_id
      WHERE f.location_code = 'AZPHX01' LIMIT 1`.execute(api.owner);
    const both = { ledgerIds: [...ledgerIds, rows[0]!.id] };
    expect((await send(both)).status).toBe(404);
    const asOwner = await send(both, await signInStaff(api, 'owner'));
    expect([asOwner.status, asOwner.body.message]).toEqual([
      422,
      'Choose rentals of one facility: each has its own texts.',
    ]);
  });

  test('shows a text as text: braces in a value are not filled again, and nothing is markup', async () => {
    const first = '{owed} <b>';
    await sql`UPDATE tenants SET first_name = ${first} WHERE email = 'dana@example.com'`.execute(
      api.owner,
    );
    const rows = (await late()).filter(({ unitName }) => /^(A101|C014)$/.test(unitName));
    const oldest = rows.map(({ owedSince }) => String(owedSince)).toSorted()[0]!;
    const text = 'Hello {firstName}, since {owedSince}.';
    const { body } = await send({ ledgerIds: [rows[0]!.id], text });
    expect(body.first.text).toBe(`Hello ${first}, since ${formatDate(oldest)}.`);
    expect((await toDana()).at(-1)!.html).toContain('{owed} &lt;b&gt;');
    await sql`UPDATE tenants SET first_name = 'Dana' WHERE first_name = ${first}`.execute(
      api.owner,
    );
  });
});

test('a facility keeps texts by name for its clerks; a text takes the place of one of its name', async () => {
  const { id } = await api.owner
    .selectFrom('facilities')
    .select('id')
    .where('location_code', '=', 'TXDFW03')
    .executeTakeFirstOrThrow();
  const path = `/office/facilities/${id}/late-templates`;
  const names = async () =>
    (await callOffice(api, 'GET', path, { as: clerk })).body.templates as {
      id: string;
      name: string;
      text: string;
    }[];
  expect(await names()).toEqual([{ id: null, ...standardNotice, by: null }]);
  const keep = (body: object) => callOffice(api, 'POST', path, { as: manager, body });
  const first = { key: randomUUID(), name: 'Second notice', subject: 'Again', text: 'Pay {owed}.' };
  await keep(first);
  await keep(first);
  await keep({ ...first, key: randomUUID(), name: 'second notice', text: 'Please pay {owed}.' });
  expect(await names()).toMatchObject([
    { name: 'second notice', text: 'Please pay {owed}.', by: 'Marcus Webb' },
    { name: 'Standard' },
  ]);
  expect((await keep({ ...first, text: 'Another' })).status).toBe(422);
  const [kept] = await names();
  const remove = () =>
    callOffice(api, 'POST', `${path}/${kept!.id}/remove`, { as: manager, body: {} });
  expect((await remove()).status).toBe(200);
  expect((await remove()).status).toBe(404);
  expect(await names()).toHaveLength(1);
});

describe('a late letter', () => {
  const print = (body: object, as = clerk) =>
    doVerb(api, as, 'notices/print', { ...standardNotice, ...body });
  const drawn = async (printingId: string, query = {}) => {
    const { status, body } = await callOffice(api, 'GET', `/office/letters/${printingId}`, {
      as: clerk,
      query,
    });
    return status === 200 ? pagesOf(Buffer.from(body.data as string, 'base64')) : status;
  };
  const tenantOf = async (ledgerId: string) =>
    String((await late()).find(({ id }) => id === ledgerId)!.tenantId);
  const lettersOf = async (ledgerId: string) => {
    const path = `/office/tenants/${await tenantOf(ledgerId)}`;
    const { body } = await callOffice(api, 'GET', path, { as: clerk });
    return body.letters as unknown[];
  };

  test('is previewed with its address, and written and on the tenant’s page only once it is printed', async () => {
    const ledgerIds = [await idOf('A101')];
    const key = randomUUID();
    const preview = await print({ ledgerIds, key, isPreview: true });
    expect(preview.body).toMatchObject({
      recipients: 1,
      skipped: [],
      first: {
        to: expect.stringMatching(/^Dana Reyes\n.*\n.*, TX \d{5}$/) as string,
        subject: 'Unit A101 and C014: $664.50 is past due',
      },
    });
    expect(await drawn(key)).toBe(404);
    expect(await lettersOf(ledgerIds[0]!)).toEqual([]);
    const printed = await print({ ledgerIds, key });
    expect(printed.body).toEqual(preview.body);
    const pages = await drawn(String(printed.body.printingId));
    expect(pages).toHaveLength(1);
    expect((pages as string[])[0]).toContain('$664.50');
    expect(await lettersOf(ledgerIds[0]!)).toEqual([
      { printingId: key, on: today, owed: 664.5, by: 'Ana Flores' },
    ]);
  });

  test('is in the trail at each rental that it is about, with who printed it', async () => {
    const key = randomUUID();
    await print({ ledgerIds: [await idOf('A101')], key });
    const { rows } = await sql<{ ledger: string; by: string }>`
      SELECT ledger_id AS ledger, details ->> 'by' AS by FROM audit_events
      WHERE details ->> 'verb' = 'notices.print' AND details ->> 'key' = ${key}`.execute(api.owner);
    expect(new Set(rows.map(({ ledger }) => ledger))).toEqual(
      new Set([await idOf('A101'), await idOf('C014')]),
    );
    expect(rows.map(({ by }) => by)).toEqual(['Ana Flores', 'Ana Flores']);
  });

  test('is written once a day to each tenant, by one of two clerks at once, and once under its key', async () => {
    const ledgerIds = [await idOf('A101')];
    const key = randomUUID();
    const answers = await Promise.all([
      print({ ledgerIds, key }),
      print({ ledgerIds, key }),
      print({ ledgerIds }, manager),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(answers[0].body).toEqual(answers[1].body);
    expect((answers[0].body.recipients as number) + (answers[2].body.recipients as number)).toBe(1);
    const again = await print({ ledgerIds: [await idOf('C014')] });
    expect(again.body).toMatchObject({
      recipients: 0,
      first: null,
      skipped: [{ because: expect.stringMatching(/^Printed today by /) as string }],
    });
    expect(await lettersOf(ledgerIds[0]!)).toHaveLength(1);
  });

  test('is drawn again as it was printed, also by itself, whatever has changed since', async () => {
    const dana = await idOf('A101');
    const { id: facility_id } = await api.owner
      .selectFrom('facilities')
      .select('id')
      .where('location_code', '=', 'TXDFW03')
      .executeTakeFirstOrThrow();
    const tenantId = await makeTenant(api.owner, { facility_id, first_name: 'Omar' });
    const unit = { facility_id, name: 'Z901' };
    const other = await makeLedger(api.owner, api.ctx.vault, { tenant_id: tenantId, unit });
    const dueOn = addDays(today, -9);
    await postCharges(api.owner, other.ledgerId, [
      { category: 'service', description: 'Lock cut', dueOn, priceCents: 1000 },
    ]);
    const { body } = await print({ ledgerIds: [dana, other.ledgerId] });
    const printingId = String(body.printingId);
    const whole = (await drawn(printingId)) as string[];
    expect(whole).toHaveLength(2);
    await sql`UPDATE tenants SET street1 = street1 || ' moved'`.execute(api.owner);
    await sql`UPDATE facilities SET phone = '8175559999'`.execute(api.owner);
    expect(await drawn(printingId)).toEqual(whole);
    const own = (await drawn(printingId, { tenantId })) as string[];
    expect(own).toHaveLength(1);
    expect(whole).toContain(own[0]);
  });

  test('is not for who is on hold or has no postal address, and says so', async () => {
    const [a101, c014] = [await idOf('A101'), await idOf('C014')];
    await sql`UPDATE tenants SET street1 = '' WHERE email = 'dana@example.com'`.execute(api.owner);
    const without = await print({ ledgerIds: [a101] });
    expect(without.body).toMatchObject({
      recipients: 0,
      skipped: [{ because: 'No postal address is on file.' }],
    });
    await sql`UPDATE ledgers SET is_on_hold = true WHERE id = ANY(${[a101, c014]}::uuid[])`.execute(
      api.owner,
    );
    const held = await print({ ledgerIds: [a101] });
    expect(held.body).toMatchObject({ recipients: 0, skipped: [{ because: 'On hold.' }] });
    await sql`UPDATE ledgers SET is_on_hold = false`.execute(api.owner);
  });
});

describe('the late list', () => {
  test('has the newest note on the tenant record that is not removed, for each of its rentals', async () => {
    const tenantId = String((await late()).find(({ firstName }) => firstName === 'Dana')!.tenantId);
    const note = (path: string, body: object) =>
      callOffice(api, 'POST', `/office/${path}`, { as: clerk, body });
    const add = (text: string) => note(`tenants/${tenantId}/notes`, { key: randomUUID(), text });
    const notesOfDana = async () =>
      (await late()).filter((row) => row.tenantId === tenantId).map((row) => row.note);
    const before = await notesOfDana();
    const { body } = await add('Promised to pay on Friday.');
    const { text, by, at } = body as Record<string, string>;
    expect(await notesOfDana()).toEqual(before.map(() => ({ text, by, at })));
    await note(`notes/${String(body.id)}`, { isRemoved: true });
    expect(await notesOfDana()).toEqual(before);
  });
});
