import { randomUUID } from 'node:crypto';
import { addDays, calendarDateIn, formatDate } from '@gatehouse/contract/dates';
import type { Ledger } from '@gatehouse/contract/ledgers';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { limits } from '#config/limits.ts';
import { useTestApp, signIn, type SignedIn } from '#test/app.ts';
import { setLimits } from '#test/limits.ts';
import { readMails } from '#test/mails.ts';
import { flatPhoto } from '#test/photos.ts';
import { testClock } from '#test/test-day.ts';
import { changeRows, findRows } from '#test/rows.ts';

const EAGLE_MOUNTAIN = 'eagle-mountain@anchor-axle.example';

const api = useTestApp('demo_template');
let dana: SignedIn;
let lee: SignedIn;
/** A101, B207 and C014; D310 of the second record, whose gate schedule is 0. */
let ledgers: Ledger[];
let marine: Ledger;
let today: string;
let planId: string;

beforeAll(async () => {
  dana = await signIn(api, 'dana@example.com');
  lee = await signIn(api, 'lee@example.com');
  const all = await ledgersOf(dana);
  ledgers = all.filter(({ tenantId }) => tenantId === dana.tenantIds[0]);
  marine = all.find(({ tenantId }) => tenantId === dana.tenantIds[1])!;
  today = calendarDateIn('America/Chicago', testClock.now());
  planId = (await api.call('GET', `${dana.prefix}/insurance-coverages`, dana)).body[1].id;
});
beforeEach(async () => {
  await api.owner.deleteFrom('requests').execute();
  await api.owner.deleteFrom('images').execute();
  await api.owner.deleteFrom('mails').execute();
});

async function ledgersOf(who: SignedIn): Promise<Ledger[]> {
  const path = `${who.prefix}/tenants/${who.tenantIds.join(',')}/ledgers`;
  return (await api.call('GET', path, who)).body as Ledger[];
}

/** Fields that a browser sends although the server knows them, all of them wrong. */
const wrongCopies = {
  formType: 'notifyAchPayment',
  facilityName: 'Another Place <b>',
  unitName: 'Z999',
  firstName: 'Mallory\r\nBcc: all@example.com',
  lastName: 'Evil',
  emailAddress: 'mallory@example.com',
};

type Form =
  | 'maintenance'
  | 'gateAccess'
  | 'esign'
  | 'insurance'
  | 'privateInsurance'
  | 'contact'
  | 'moveOut';

/** The path of a form below the facility prefix. */
function pathOf(form: Form, ledger: Ledger = ledgers[0]!): string {
  const { tenantId } = ledger;
  switch (form) {
    case 'maintenance':
      return '/maintenance-requests';
    case 'gateAccess':
      return `/ledgers/${ledger.id}/request-gate-access`;
    case 'esign':
      return `/ledgers/${ledger.id}/resend-esign-documents`;
    case 'moveOut':
      return `/ledgers/${ledger.id}/move-out`;
    case 'contact':
      return `/tenants/${tenantId}/update/request`;
    case 'insurance':
    case 'privateInsurance':
      return `/tenants/${tenantId}/insurance/update`;
  }
}

/** A valid body, as in section 7 of the spec. */
function bodyOf(form: Form): Record<string, unknown> {
  const [ledger] = ledgers;
  const policy = {
    description: 'Lone Star Mutual',
    policyNumber: 'LSM-9',
    coverageEnd: addDays(today, 1),
  };
  const address = {
    address1: '1 New Road',
    address2: '',
    city: 'Azle',
    state: 'TX',
    postal: '76020',
  };
  switch (form) {
    case 'maintenance':
      return {
        ...wrongCopies,
        ledgerId: ledger!.id,
        issueType: 'gate',
        issueDescription: 'The gate sticks.',
      };
    case 'gateAccess':
      return { ...wrongCopies, reason: 'I leave at four.' };
    case 'esign':
      return wrongCopies;
    case 'moveOut':
      return { date: addDays(today, 30), reason: 'I sold the boat.' };
    case 'contact':
      return {
        ...wrongCopies,
        ...address,
        firstName: 'Dana',
        lastName: 'Reyes-Ortiz',
        phone: '(817) 555-0199',
        emailAddress: 'new@example.com',
      };
    case 'insurance':
      return {
        ...wrongCopies,
        unitId: ledger!.unitId,
        coverageId: planId,
        coverageAmount: 1,
        coveragePremium: 0,
      };
    case 'privateInsurance':
      return {
        ...wrongCopies,
        unitId: ledger!.unitId,
        ...policy,
        coverageAmount: 25_000,
        coverageStart: '2001-01-01',
      };
  }
}

const forms: Form[] = [
  'maintenance',
  'gateAccess',
  'esign',
  'insurance',
  'privateInsurance',
  'contact',
  'moveOut',
];

type Asking = { body?: unknown; path?: string; as?: SignedIn; key?: string };

function ask(
  form: Form,
  { body = bodyOf(form), path = pathOf(form), as = dana, key }: Asking = {},
) {
  const headers = key === undefined ? {} : { headers: { 'idempotency-key': key } };
  return api.call('POST', `${as.prefix}${path}`, { token: as.token, body, ...headers });
}

/** A photo as a form sends it. */
const photo = async () =>
  `data:image/jpeg;base64,${(await flatPhoto('jpeg', { width: 9, height: 9 })).toString('base64')}`;

const requests = () => api.owner.selectFrom('requests').selectAll().orderBy('reference').execute();
/** Those to staff; another email address is also mailed to the address on file. */
const mails = async () =>
  (await readMails(api)).filter(({ subject }) => !subject.startsWith('Somebody asked to change'));

async function expectNothingWritten() {
  expect([await requests(), await mails()]).toEqual([[], []]);
  expect(await findRows(api.owner, 'images', 'id')).toEqual([]);
}

describe('a message to staff is stored under its reference and mailed to the facility only', () => {
  const titles: Record<Form, string> = {
    maintenance: 'Maintenance request, unit A101',
    gateAccess: '24-hour access request, unit A101',
    esign: 'E-sign documents to send again, unit A101',
    insurance: 'Protection plan change, unit A101',
    privateInsurance: 'Protection plan change, unit A101',
    contact: 'Contact information update',
    moveOut: 'Move-out, unit A101',
  };
  const kinds: Record<Form, string> = {
    maintenance: 'maintenance_request_form',
    gateAccess: 'request_gate_access_form',
    esign: 'resend_esign_documents_form',
    insurance: 'insurance_request',
    privateInsurance: 'insurance_request',
    contact: 'request_tenant_update',
    moveOut: 'move_out',
  };

  // spec 1.15, 7.23, 7.27, 7.35, 7.37, 7.39, 7.64
  test.each(forms)('%s', async (form) => {
    const answer = await ask(form);
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ success: true, reference: expect.stringMatching(/^R-\d{6}$/) });
    const { reference } = answer.body;
    expect(await requests()).toMatchObject([
      {
        reference,
        kind: kinds[form],
        tenant_id: dana.tenantIds[0],
        ledger_id: form === 'contact' ? null : ledgers[0]!.id,
      },
    ]);
    const [mail, ...others] = await mails();
    expect(others).toEqual([]);
    expect(mail).toMatchObject({
      to_address: EAGLE_MOUNTAIN,
      subject: `${reference}: ${titles[form]}`,
    });
    const units = form === 'contact' ? 'Units: A101, B207, C014' : 'Unit: A101';
    for (const fact of [
      `Reference: ${reference}`,
      'Facility: Anchor & Axle Eagle Mountain',
      units,
      'Tenant: Dana Reyes',
    ])
      expect(mail!.text.split('\n')).toContain(fact);
    expect(mail!.text).toContain('Phone: (817) 555-0142\nEmail: dana@example.com');
    const whole = mail!.text + mail!.html + mail!.subject;
    for (const lie of ['Another Place', 'Z999', 'Mallory', 'Evil', 'mallory@', 'Bcc'])
      expect(whole).not.toContain(lie);
  });

  // asvs 7.5.1
  test.each(forms)('%s changes no record', async (form) => {
    const world = async () => ({
      ledgers: await api.owner.selectFrom('ledgers').selectAll().orderBy('id').execute(),
      tenants: await api.owner.selectFrom('tenants').selectAll().orderBy('id').execute(),
      plans: await api.owner
        .selectFrom('ledger_protection_plans')
        .selectAll()
        .orderBy('id')
        .execute(),
      policies: await api.owner.selectFrom('private_policies').selectAll().orderBy('id').execute(),
      documents: await api.owner.selectFrom('esign_documents').selectAll().orderBy('id').execute(),
    });
    const before = await world();
    expect((await ask(form)).status).toBe(200);
    expect(await world()).toEqual(before);
  });

  test('what is stored cannot be changed or deleted by the server', async () => {
    await ask('moveOut');
    await expect(api.ctx.db.deleteFrom('requests').execute()).rejects.toThrow(/permission denied/);
    await expect(changeRows(api.ctx.db, 'requests', { kind: 'move_out' })).rejects.toThrow(
      /permission denied/,
    );
  });

  test('it is shown in the sandbox’s mailbox', async () => {
    const { reference } = (await ask('gateAccess')).body;
    const { body } = await api.call('GET', `/dev/mailbox?to=${EAGLE_MOUNTAIN}`);
    expect(body[0]).toMatchObject({
      to: EAGLE_MOUNTAIN,
      subject: `${reference}: 24-hour access request, unit A101`,
    });
  });

  test('a facility without an address still has the request', async () => {
    const facility = (email: string | null) =>
      changeRows(api.owner, 'facilities', { email }, { location_code: 'TXDFW03' });
    for (const email of [null, '', 'no address']) {
      await facility(email);
      expect((await ask('moveOut')).status).toBe(200);
    }
    await facility(EAGLE_MOUNTAIN);
    expect([(await requests()).length, await mails()]).toEqual([3, []]);
  });
});

describe('the mail says what is asked', () => {
  const textOf = async () => (await mails())[0]!.text;

  // spec 7.23
  test('of a repair: the issue type, the description and that there is a photo', async () => {
    const imageData = await photo();
    await ask('maintenance', {
      body: { ...bodyOf('maintenance'), imageData, file: 'gate.jpg', tenantId: dana.tenantIds[0] },
    });
    expect(await textOf()).toContain('Issue type: Gate\nPhoto: kept with the request (gate.jpg)');
    expect(await textOf()).toContain('Description:\n\n> The gate sticks.');
    const [image] = await api.owner.selectFrom('images').selectAll().execute();
    expect(await requests()).toMatchObject([{ image_id: image!.id }]);
    expect(image).toMatchObject({ tenant_id: dana.tenantIds[0], file_name: 'gate.jpg' });
    const shown = await api.call(
      'GET',
      `${dana.prefix}/tenants/${dana.tenantIds[0]}/images/${image!.id}`,
      {
        token: dana.token,
      },
    );
    expect(shown.body.imageData).toMatch(/^data:image\/jpeg;base64,/);
  });

  test('of 24-hour access: the hours now and the reason, never the gate code', async () => {
    const path = `${dana.prefix}/units/${ledgers[1]!.unitId}/gate-access`;
    const { accessCode } = (await api.call('GET', path, dana)).body;
    await ask('gateAccess', { path: pathOf('gateAccess', ledgers[1]) });
    expect(accessCode).toMatch(/^\d{4}#$/);
    expect(await textOf()).toContain(
      'Access hours now: Business Hours (6am - 10pm)\n\nReason:\n\n> I leave at four.',
    );
    expect(await textOf()).not.toContain(accessCode);
  });

  // spec 7.37
  test('of e-sign documents: those that are pending, and with none pending that there are none', async () => {
    await ask('esign');
    expect(await textOf()).toContain(
      'Waiting for a signature: Vehicle Storage Addendum\nSend to: dana@example.com',
    );
    await api.owner.deleteFrom('mails').execute();
    expect((await ask('esign', { path: pathOf('esign', ledgers[1]) })).status).toBe(200);
    expect(await textOf()).toContain('Waiting for a signature: none');
  });

  // spec 4.17, 7.27
  test('of another plan: the plan now and the plan asked for, at the facility’s prices', async () => {
    const body = { ...bodyOf('insurance'), unitId: ledgers[1]!.unitId };
    await ask('insurance', { body });
    expect(await textOf()).toContain(
      'Protection plan now: $5,000 protection plan: $5,000.00 coverage, $14.00 a month',
    );
    expect(await textOf()).toContain(
      'Requested plan: $10,000 protection plan: $10,000.00 coverage, $22.00 a month',
    );
  });

  // spec 7.29
  test('of private insurance in its place: the policy', async () => {
    await ask('privateInsurance');
    expect(await textOf()).toContain(
      `Protection plan now: none\nRequested: private insurance in its place\nPolicy company: Lone Star Mutual\nPolicy number: LSM-9\nExpiration date: ${formatDate(addDays(today, 1))}\nCoverage amount: $25,000.00`,
    );
  });

  // spec 7.64
  test('of contact information: the old and new values that differ, and no others', async () => {
    await ask('contact');
    expect(await textOf()).toContain(
      'Last name: Reyes → Reyes-Ortiz\nPhone: (817) 555-0142 → (817) 555-0199\nEmail: dana@example.com → new@example.com\nStreet 1: 18 Heron Lane → 1 New Road\n\n',
    );
    expect(await textOf()).not.toContain('City');
    // Mails keep going to the record's own address.
    expect(await textOf()).toContain('\nEmail: dana@example.com\n');
  });

  // spec 3.49, 7.39
  test('of a move-out: the date and the reason, where given', async () => {
    await ask('moveOut');
    expect(await textOf()).toContain(
      `Date: ${formatDate(addDays(today, 30))}\n\nReason:\n\n> I sold the boat.`,
    );
    for (const body of [{}, undefined, { date: today }, { reason: '' }]) {
      await api.owner.deleteFrom('mails').execute();
      const url = `${dana.prefix}${pathOf('moveOut')}`;
      expect((await api.call('POST', url, { token: dana.token, body })).status).toBe(200);
      expect(await textOf()).toContain(
        body?.date === today ? `Date: ${formatDate(today)}` : 'Date: not given',
      );
      expect(await textOf()).not.toContain('Reason');
    }
  });

  // spec 3.49
  test('of a move-out without a body that still names its type', async () => {
    const headers = { authorization: `Bearer ${dana.token}`, 'content-type': 'application/json' };
    const url = `/api${dana.prefix}${pathOf('moveOut')}`;
    expect((await api.app.inject({ method: 'POST', url, headers, payload: '' })).statusCode).toBe(
      200,
    );
  });

  // asvs 5.4.2
  test.each([
    ['<script>alert(1)</script><img src=x onerror=alert(1)>', /<script>alert|<img/],
    ['ok\r\nBcc: all@example.com\r\n\r\nReference: R-1', /^(Bcc|Reference: R-1$)/m],
    ['=HYPERLINK("http://evil.example","click")', /href="http:\/\/evil/],
    ['\u2028Reference: R-1\u0085Email: x@example.com', /^(Reference: R-1$|Email: x@)/m],
  ])('hostile text stays text: %j', async (text, harm) => {
    await ask('maintenance', { body: { ...bodyOf('maintenance'), issueDescription: text } });
    await ask('gateAccess', { body: { reason: text } });
    await ask('moveOut', { body: { reason: text } });
    await ask('contact', { body: { ...bodyOf('contact'), city: text, firstName: text } });
    await ask('privateInsurance', { body: { ...bodyOf('privateInsurance'), description: text } });
    const all = await mails();
    expect(all).toHaveLength(5);
    for (const mail of all) {
      expect(mail.to_address).toBe(EAGLE_MOUNTAIN);
      expect(mail.subject).toMatch(/^R-\d{6}: [\w\s,-]+$/);
      // In a quotation it cannot be taken for a line of ours.
      const ours = mail.html.replace(/<blockquote[^>]*>[^<]*<\/blockquote>/g, '');
      expect(ours).not.toMatch(harm);
      if (!text.startsWith('<')) expect(mail.text).not.toMatch(harm);
    }
  });
});

describe('a refused value is named in a sentence, and nothing is written', () => {
  const cases: [Form, string, unknown, string][] = [
    ['maintenance', 'ledgerId', undefined, 'Unit is required.'],
    ['maintenance', 'ledgerId', 'A101', 'Unit is required.'],
    ['maintenance', 'issueType', undefined, 'Issue type is required.'],
    ['maintenance', 'issueType', 'roof', 'Issue type is required.'],
    ['maintenance', 'issueDescription', undefined, 'Description is required.'],
    ['maintenance', 'issueDescription', ' \n ', 'Description is required.'],
    ['maintenance', 'issueDescription', 'x'.repeat(2001), 'Description is too long.'],
    [
      'maintenance',
      'issueDescription',
      'a\0b',
      'The request holds a character that cannot be used.',
    ],
    [
      'maintenance',
      'issueDescription',
      'a\ud800b',
      'The request holds a character that cannot be used.',
    ],
    ['maintenance', 'tenantId', 'x', 'The field tenantId must be an id.'],
    ['maintenance', 'file', 'x'.repeat(256), 'File is too long.'],
    ['maintenance', 'imageData', 'photo.jpg', 'The image must be a data URL.'],
    [
      'maintenance',
      'imageData',
      'data:image/png;base64,PHN2Zz4=',
      'The photo must be a JPEG, PNG, GIF or WebP image.',
    ],
    ['maintenance', 'facilityName', 'x'.repeat(501), 'A text is too long.'],
    ['gateAccess', 'reason', undefined, 'Reason is required.'],
    ['gateAccess', 'reason', '   ', 'Reason is required.'],
    ['gateAccess', 'reason', 7, 'Reason is required.'],
    ['gateAccess', 'reason', 'x'.repeat(1001), 'Reason is too long.'],
    ['esign', 'firstName', 'x'.repeat(501), 'A text is too long.'],
    ['insurance', 'coverageId', 'x', 'Protection plan is required.'],
    ['insurance', 'unitId', 'x', 'The field unitId must be an id.'],
    ['privateInsurance', 'description', '', 'Policy company is required.'],
    ['privateInsurance', 'policyNumber', '', 'Policy number is required.'],
    ['privateInsurance', 'coverageEnd', '', 'Expiration date is required.'],
    ['privateInsurance', 'coverageEnd', '2027-02-30', 'Expiration date is required.'],
    ['privateInsurance', 'coverageAmount', '25000', 'Coverage amount must be a number.'],
    ['privateInsurance', 'coverageAmount', 0, 'Coverage amount must be above $0.00.'],
    [
      'privateInsurance',
      'coverageAmount',
      1.001,
      'Coverage amount must have at most two decimals.',
    ],
    ['contact', 'firstName', '', 'First name is required.'],
    ['contact', 'lastName', undefined, 'Last name is required.'],
    ['contact', 'phone', '', 'Phone is required.'],
    ['contact', 'phone', '817555014', 'Phone must have 10 digits.'],
    ['contact', 'emailAddress', '', 'Email is required.'],
    ['contact', 'emailAddress', 'dana', 'Email must look like name@example.com.'],
    ['contact', 'address1', '', 'Street 1 is required.'],
    ['contact', 'address2', 5, 'Street 2 must be text.'],
    ['contact', 'city', '', 'City is required.'],
    ['contact', 'state', 'ZZ', 'State is required.'],
    ['contact', 'postal', '', 'Postal code is required.'],
    ['contact', 'postal', 'x'.repeat(21), 'Postal code is too long.'],
    ['moveOut', 'date', '12/24/2030', 'Date must be a day of the calendar, such as 2026-12-31.'],
    ['moveOut', 'reason', 'x'.repeat(1001), 'Reason is too long.'],
    ['moveOut', 'reason', 5, 'Reason must be text.'],
  ];

  // spec 5.43, 5.44, 5.45, 5.46, 5.47, 5.48, 5.49, 5.50, 5.53, 5.54, 5.55, 5.59
  test.each(cases)('%s: %s', async (form, field, value, message) => {
    const answer = await ask(form, { body: { ...bodyOf(form), [field]: value } });
    expect([answer.body.message, [413, 415, 422].includes(answer.status)]).toEqual([message, true]);
    await expectNothingWritten();
  });

  test('private insurance that ends today, by the facility’s calendar, or before', async () => {
    for (const coverageEnd of [today, addDays(today, -1)]) {
      const answer = await ask('privateInsurance', {
        body: { ...bodyOf('privateInsurance'), coverageEnd },
      });
      expect([answer.status, answer.body.message]).toEqual([
        422,
        'Expiration date must be tomorrow or later.',
      ]);
    }
    await expectNothingWritten();
  });

  test('a move-out on a day that is over at the facility', async () => {
    const answer = await ask('moveOut', { body: { date: addDays(today, -1) } });
    expect([answer.status, answer.body.message]).toEqual([
      422,
      'Move-out date must be today or later.',
    ]);
    await expectNothingWritten();
  });

  // spec 9.10
  test('24-hour access to a unit of schedule 0', async () => {
    const answer = await ask('gateAccess', { path: pathOf('gateAccess', marine) });
    expect([answer.status, answer.body.message]).toEqual([
      409,
      'This unit has no 24-hour access. Please call your facility.',
    ]);
    await expectNothingWritten();
  });
});

describe('a request for another’s ids gets 404, as for missing ids, and nothing is written', () => {
  const expectRefused = async (form: Form, asking: Asking) => {
    const answer = await ask(form, asking);
    expect([answer.status, answer.text]).toEqual([404, '{"message":"Not found."}']);
  };
  test.each(forms.filter((form) => form !== 'maintenance'))(
    '%s for another tenant’s unit or record',
    async (form) => {
      await expectRefused(form, { as: lee });
      expect(
        (await api.call('POST', `${dana.prefix}${pathOf(form)}`, { body: bodyOf(form) })).status,
      ).toBe(401);
      await expectNothingWritten();
    },
  );

  test('maintenance for a unit that is another tenant’s, vacant, or another record’s', async () => {
    const [leesLedger] = await ledgersOf(lee);
    await expectRefused('maintenance', { as: lee });
    for (const ledgerId of [leesLedger!.id, randomUUID()])
      await expectRefused('maintenance', { body: { ...bodyOf('maintenance'), ledgerId } });
    for (const tenantId of [dana.tenantIds[1], lee.tenantIds[0], randomUUID()])
      await expectRefused('maintenance', { body: { ...bodyOf('maintenance'), tenantId } });
    expect(
      (
        await api.call('POST', `${dana.prefix}/maintenance-requests`, {
          body: bodyOf('maintenance'),
        })
      ).status,
    ).toBe(401);
    await expectNothingWritten();
  });

  test('maintenance for a unit that was moved out of', async () => {
    const end = (moved_out_on: string | null) =>
      changeRows(api.owner, 'ledgers', { moved_out_on }, { id: ledgers[2]!.id });
    await end(today);
    await expectRefused('maintenance', {
      body: { ...bodyOf('maintenance'), ledgerId: ledgers[2]!.id },
    });
    await end(null);
    await expectNothingWritten();
  });

  test('a plan change for a unit of another record, and to a plan of another facility', async () => {
    await expectRefused('insurance', { body: { ...bodyOf('insurance'), unitId: marine.unitId } });
    await expectRefused('privateInsurance', {
      body: { ...bodyOf('privateInsurance'), unitId: randomUUID() },
    });
    const maria = await signIn(api, 'maria@example.com', 'AZPHX01');
    const plans = await api.call('GET', `${maria.prefix}/insurance-coverages`, maria);
    for (const coverageId of [plans.body[0].id, randomUUID()])
      await expectRefused('insurance', { body: { ...bodyOf('insurance'), coverageId } });
    await expectNothingWritten();
  });
});

describe('an Idempotency-Key', () => {
  test.each(forms)('of %s that comes again gets the first reference', async (form) => {
    const key = randomUUID();
    const first = await ask(form, { key });
    const again = await ask(form, { key });
    expect(again.body).toEqual(first.body);
    const other = await ask(form, { key: randomUUID() });
    expect(other.body.reference).not.toBe(first.body.reference);
    expect([(await requests()).length, (await mails()).length]).toEqual([2, 2]);
  });

  test('that arrives ten times at once files one request, one photo and one mail', async () => {
    const body = { ...bodyOf('maintenance'), imageData: await photo() };
    const key = randomUUID();
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => ask('maintenance', { body, key })),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 200));
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    const images = await api.owner.selectFrom('images').selectAll().execute();
    expect([(await requests()).length, (await mails()).length, images.length]).toEqual([1, 1, 1]);
  });

  test.each(forms)('of %s, a hundred times at once, files one request', async (form) => {
    const key = randomUUID();
    const answers = await Promise.all(Array.from({ length: 100 }, () => ask(form, { key })));
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect(answers[0]!.status).toBe(200);
    expect([(await requests()).length, (await mails()).length]).toEqual([1, 1]);
  });

  test('of a repair with a photo answers the stored photo each time; without one, none', async () => {
    const body = { ...bodyOf('maintenance'), imageData: await photo() };
    const key = randomUUID();
    const first = await ask('maintenance', { body, key });
    const [image] = await api.owner.selectFrom('images').selectAll().execute();
    expect(first.body).toEqual({
      success: true,
      reference: expect.any(String),
      imageId: image!.id,
    });
    expect((await ask('maintenance', { body, key })).body).toEqual(first.body);
    const without = await ask('maintenance', { key: randomUUID() });
    expect(without.body).toEqual({ success: true, reference: expect.any(String) });
  });

  test('under another body, form or unit is refused', async () => {
    const key = randomUUID();
    const first = await ask('gateAccess', { key });
    for (const other of [
      await ask('gateAccess', { key, body: { reason: 'Another reason' } }),
      await ask('gateAccess', { key, path: pathOf('gateAccess', ledgers[1]) }),
      await ask('moveOut', { key }),
      await ask('maintenance', { key }),
    ])
      expect([other.status, other.body.message]).toEqual([
        422,
        'This Idempotency-Key was already used for another request.',
      ]);
    expect((await requests()).map(({ reference }) => reference)).toEqual([first.body.reference]);
  });

  test('is the user’s own: another user’s is another request', async () => {
    const key = randomUUID();
    const [leesLedger] = await ledgersOf(lee);
    const mine = await ask('moveOut', { key });
    const theirs = await ask('moveOut', { key, as: lee, path: pathOf('moveOut', leesLedger) });
    expect(theirs.body.reference).not.toBe(mine.body.reference);
  });
});

test('a refused photo leaves no request, and a refused request no photo', async () => {
  const imageData = await photo();
  const svg = `data:image/svg+xml;base64,${Buffer.from('<svg/>').toString('base64')}`;
  expect(
    (await ask('maintenance', { body: { ...bodyOf('maintenance'), imageData: svg } })).status,
  ).toBe(415);
  const foreign = { ...bodyOf('maintenance'), imageData, ledgerId: randomUUID() };
  expect((await ask('maintenance', { body: foreign })).status).toBe(404);
  await expectNothingWritten();
});

describe('limits of forms', () => {
  test('a photo counts whether it is taken or refused: twenty an hour for a tenant record', async () => {
    expect(limits['photos-an-hour']).toEqual({ most: 20, seconds: 3600 });
    await setLimits(api, { 'photos-an-hour': { most: 3, seconds: 3600 } });
    const imageData = `data:image/svg+xml;base64,${Buffer.from('<svg/>').toString('base64')}`;
    const send = async (body: object) =>
      (await ask('maintenance', { body: { ...bodyOf('maintenance'), ...body } })).status;
    const statuses: number[] = [];
    for (let nth = 0; nth < 4; nth++) statuses.push(await send({ imageData }));
    expect(statuses).toEqual([415, 415, 415, 429]);
    expect(await send({})).toBe(200);
  });

  // asvs 2.4.1
  test('a form goes to staff five times an hour for a rental; what was refused or repeated does not count', async () => {
    expect(limits['requests-an-hour']).toEqual({ most: 5, seconds: 3600 });
    await setLimits(api, { 'requests-an-hour': limits['requests-an-hour'] });
    const key = randomUUID();
    const statuses: number[] = [];
    for (let nth = 0; nth < 3; nth++) statuses.push((await ask('gateAccess', { key })).status);
    for (let nth = 0; nth < 3; nth++)
      statuses.push(
        (await ask('gateAccess', { body: { ...wrongCopies, reason: 'x'.repeat(1001) } })).status,
      );
    expect(statuses).toEqual([200, 200, 200, 422, 422, 422]);
    const rest = await Promise.all(Array.from({ length: 100 }, () => ask('gateAccess')));
    expect(rest.filter(({ status }) => status === 200)).toHaveLength(4);
    const refused = rest.find(({ status }) => status !== 200)!;
    expect(refused).toMatchObject({
      status: 429,
      body: { message: expect.stringContaining('call the facility') },
    });
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(3500);
    expect(await findRows(api.owner, 'requests', 'id')).toHaveLength(5);
    expect((await ask('esign')).status).toBe(200);
    expect((await ask('gateAccess', { path: pathOf('gateAccess', ledgers[1]) })).status).toBe(200);
  });
});
