import { createHash, randomUUID } from 'node:crypto';
import type { Endpoint } from '@gatehouse/contract/endpoint';
import { endpoints } from '@gatehouse/contract/endpoints';
import type { GateAccess } from '@gatehouse/contract/gate-access';
import type { SessionRow } from '@gatehouse/contract/sessions';
import { sql } from 'kysely';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { writeGateCode } from '#features/service/gate-access/codes.ts';
import { newBrowser } from '#features/people/session/browser.fixture.ts';
import { hashToken } from '#http/token.ts';
import { useTestApp, signIn, signInByPassword, type SignedIn } from '#test/app.ts';
import { card } from '#test/card.ts';
import { mailsTo } from '#test/mails.ts';
import { sumOfTables } from '#test/sum-of-tables.ts';
import { testClock } from '#test/test-day.ts';
import {
  newAuthenticator,
  type Authenticator,
  type Creation,
  type Question,
} from './authenticator.fixture.ts';
import { changeRows, findRows, getRow } from '#test/rows.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const PLEASE_CONFIRM = { message: 'Please confirm with your passkey.' };

const start = testClock.now();
let now = start;
const pass = (time: number) => void (now = new Date(now.getTime() + time));

const api = useTestApp('demo_template', { clock: { now: () => now } });
let dana: SignedIn;
let phone: Authenticator;
let passkeyId: string;
let ledgers: { id: string; unitId: string; balance: number }[];
beforeAll(async () => {
  dana = await signIn(api, 'dana@example.com');
  ({ phone, id: passkeyId } = await addPasskey(dana));
  const path = `${dana.prefix}/tenants/${dana.tenantIds[0]}/ledgers`;
  ledgers = (await api.call('GET', path, dana)).body;
});
beforeEach(async () => {
  now = start;
  await api.owner.deleteFrom('sessions').execute();
  dana = await signIn(api, 'dana@example.com');
});

async function addPasskey(by: SignedIn): Promise<{ phone: Authenticator; id: string }> {
  const made = newAuthenticator(api.ctx.config.publicUrl);
  const post = (path: string, body?: object) =>
    api.call('POST', path, { token: by.token, ...(body && { body }) });
  const options = (await post('/users/passkeys/options')).body as Creation;
  const { body } = await post('/users/passkeys', {
    name: 'A phone',
    credential: made.create(options),
  });
  return { phone: made, id: body.id };
}

/** A signed-in phone: its calls carry proofs, at the time of the app. */
type Kept = Awaited<ReturnType<typeof keep>>;

async function signInBy(key: Authenticator, more: object) {
  const { body: asked } = await api.call('POST', '/users/passkeys/sign-in-options');
  const credential = key.get(asked as Question);
  return api.call('POST', '/users/passkeys/sign-in', { body: { credential, ...more } });
}

async function keep(key = phone, more: object = { keep: true }) {
  const browser = newBrowser();
  const { status, body } = await signInBy(key, { proofKey: browser.proofKey, ...more });
  expect(status).toBe(200);
  const token = body.token as string;
  const call = (
    method: 'GET' | 'POST' | 'PATCH',
    path: string,
    sent?: object,
    headers: Record<string, string> = {},
  ) =>
    api.call(method, path, {
      token,
      headers: { 'session-proof': browser.prove(token, now), ...headers },
      ...(sent && { body: sent }),
    });
  const question = async () =>
    (await call('POST', '/users/passkeys/confirm-options')).body as Question;
  const answer = (credential: unknown) => call('POST', '/users/passkeys/confirm', { credential });
  return {
    token,
    call,
    question,
    answer,
    confirm: async (by = key) => (await answer(by.get(await question()))).status,
    isOn: async () => (await call('GET', dana.prefix)).status === 200,
  };
}

const ofTenant = (path: string) => `${dana.prefix}/tenants/${dana.tenantIds[0]}${path}`;

describe('a session that is kept', () => {
  // spec 10.40
  // asvs 7.3.2
  test('lasts 30 days without a call, bound to its browser, and not a minute longer', async () => {
    const kept = await keep();
    pass(30 * DAY - MINUTE);
    expect(await kept.isOn()).toBe(true);
    expect((await api.call('GET', dana.prefix, kept)).status).toBe(401);
    pass(2 * MINUTE);
    expect(await kept.isOn()).toBe(false);
  });

  test('is one that was asked for: any other by a passkey ends after 30 idle minutes and 12 hours', async () => {
    const idle = await keep(phone, {});
    const used = await keep(phone, { keep: false });
    for (let count = 0; count < 29; count += 1) {
      pass(24 * MINUTE);
      expect(await used.isOn()).toBe(true);
    }
    expect(await idle.isOn()).toBe(false);
    pass(24 * MINUTE);
    expect(await used.isOn()).toBe(false);
  });

  test('is listed with its last day, and ends from another session and by a logout', async () => {
    const kept = await keep();
    const other = await keep();
    const listed = async () => (await other.call('GET', '/users/sessions')).body as SessionRow[];
    const rows = await listed();
    const until = new Date(start.getTime() + 30 * DAY).toISOString();
    expect(rows.filter(({ keptUntil }) => keptUntil === until)).toHaveLength(2);
    expect(rows.filter(({ keptUntil }) => keptUntil === null)).toHaveLength(1);
    pass(2 * DAY);
    const ids = (await listed()).filter(({ isCurrent }) => !isCurrent);
    for (const { id } of ids) await other.call('POST', `/users/sessions/${id}/logout`);
    expect(await kept.isOn()).toBe(false);
    expect((await other.call('POST', '/users/logout')).status).toBe(200);
    expect(await other.isOn()).toBe(false);
  });

  test('is not ended by sessions that are over', async () => {
    const kept = await keep();
    for (let count = 0; count < 6; count += 1) {
      pass(DAY);
      await signInByPassword(api, 'dana@example.com');
    }
    expect(await kept.isOn()).toBe(true);
  });

  // spec 10.40
  test('cannot be unbound: a browser without a key is refused, and so is the row', async () => {
    const untouched = await sumOfTables(api.owner);
    const { status, body } = await signInBy(phone, { keep: true });
    expect([status, body.message]).toEqual([
      422,
      'This browser cannot keep a key, and so cannot keep you signed in. Please sign in without that.',
    ]);
    expect(await sumOfTables(api.owner)).toEqual(untouched);
    const change = { kept_by: passkeyId, kept_until: now, confirmed_at: now };
    await expect(
      changeRows(api.owner, 'sessions', change, { token_hash: hashToken(dana.token) }),
    ).rejects.toMatchObject({ code: '23514', constraint: 'sessions_kept_bound' });
  });

  // spec 10.44
  test('ends with its passkey, wherever it is, and is audited; one by another passkey lasts', async () => {
    const lee = await signIn(api, 'lee@example.com');
    const [first, second] = [await addPasskey(lee), await addPasskey(lee)];
    const one = await keep(first.phone);
    const two = await keep(first.phone);
    const other = await keep(second.phone);
    const removal = `/users/passkeys/${first.id}/removal`;
    expect((await other.call('POST', removal)).status).toBe(200);
    expect([await one.isOn(), await two.isOn(), await other.isOn()]).toEqual([false, false, true]);
    const ended = await api.owner
      .selectFrom('audit_events')
      .select('kind')
      .orderBy('id', 'desc')
      .limit(3)
      .execute();
    expect(ended.map(({ kind }) => kind).toSorted()).toEqual([
      'passkey_removed',
      'session_ended',
      'session_ended',
    ]);
    const mails = await mailsTo(api, 'lee@example.com');
    expect(mails.at(-1)).toMatchObject({ subject: 'A passkey was removed' });
    // One that goes with its row alone takes its sessions along.
    await api.owner.deleteFrom('passkeys').where('id', '=', second.id).execute();
    expect(await other.isOn()).toBe(false);
  });
});

const contact = {
  firstName: 'Dana',
  lastName: 'Reyes',
  phone: '8175550142',
  emailAddress: 'dana@example.com',
  address1: '7 Mesa Road',
  city: 'Santa Fe',
  state: 'NM',
  postal: '87501',
};
const alternateContact = {
  firstName: 'Lee',
  lastName: 'Ng',
  email: 'lee@example.com',
  phone: '8175550100',
};
const owing = () => ledgers.find(({ balance }) => balance > 0)!;
const payment = () => ({
  payments: [{ ledgerId: owing().id, unitId: owing().unitId, amount: 1 }],
  creditCard: card,
});

const policy = {
  description: 'Harbor Mutual',
  policyNumber: 'HM-1',
  coverageEnd: '2099-01-01',
  coverageAmount: 5000,
};

async function saveVehicle(): Promise<string> {
  const body = { contents: 'vehicle:1UYVS2538GU', licensePlate: '77 TRL', description: 'Trailer' };
  const path = ofTenant(`/ledgers/${owing().id}/vehicles`);
  const saved = await api.call('POST', path, { ...dana, body });
  expect(saved.status, saved.text).toBe(200);
  return (await getRow(api.owner, 'vehicles', 'id', { ledger_id: owing().id })).id;
}

/** What needs a passkey, each with its body; to be answered 200 once it is confirmed. */
const asking: Record<string, () => Promise<{ path: string; body?: object }>> = {
  makePayment: () => Promise.resolve({ path: ofTenant('/payments'), body: payment() }),
  updateAutopay: () =>
    Promise.resolve({
      path: `${dana.prefix}/ledgers/${owing().id}/autopay-update`,
      body: { creditCard: card },
    }),
  updateTenant: () => Promise.resolve({ path: ofTenant(''), body: { alternateContact } }),
  requestTenantUpdate: () => Promise.resolve({ path: ofTenant('/update/request'), body: contact }),
  passkeyOptions: () => Promise.resolve({ path: '/users/passkeys/options' }),
  addPasskey: async () => {
    const { body } = await api.call('POST', '/users/passkeys/options', dana);
    const credential = newAuthenticator(api.ctx.config.publicUrl).create(body as Creation);
    return { path: '/users/passkeys', body: { name: 'A laptop', credential } };
  },
  removePasskey: async () => {
    const { id } = await addPasskey(dana);
    return { path: `/users/passkeys/${id}/removal` };
  },
  renamePasskey: async () => {
    const { id } = await addPasskey(dana);
    return { path: `/users/passkeys/${id}`, body: { name: 'A laptop' } };
  },
  requestGateAccess: () =>
    Promise.resolve({
      path: `${dana.prefix}/ledgers/${owing().id}/request-gate-access`,
      body: { reason: 'I come home at night.' },
    }),
  scheduleMoveOut: () =>
    Promise.resolve({ path: `${dana.prefix}/ledgers/${owing().id}/move-out`, body: {} }),
  addInsurance: async () => {
    const { body } = await api.call('GET', `${dana.prefix}/insurance-coverages`, dana);
    const coverageId = (body as { id: string }[])[0]!.id;
    return { path: ofTenant('/insurance/add'), body: { coverageId, unitId: owing().unitId } };
  },
  updateInsurance: () =>
    Promise.resolve({
      path: ofTenant('/insurance/update'),
      body: { ...policy, unitId: owing().unitId },
    }),
  submitInsuranceProof: () =>
    Promise.resolve({ path: `${dana.prefix}/ledgers/${owing().id}/insurance-proof`, body: policy }),
  removeVehicle: async () => ({
    path: ofTenant(`/ledgers/${owing().id}/vehicle-removal`),
    body: { vehicleId: await saveVehicle() },
  }),
  removeVehiclePaper: async () => {
    const vehicleId = await saveVehicle();
    const paper = { vehicleId, kind: 'registration' };
    const fileData = `data:application/pdf;base64,${Buffer.from('%PDF-1.7\n').toString('base64')}`;
    const body = { ...paper, number: 'TX 881', expiresOn: '2027-10-01', fileData };
    const path = ofTenant(`/ledgers/${owing().id}/vehicle-papers`);
    const filed = await api.call('POST', path, { ...dana, body });
    expect(filed.status, filed.text).toBe(200);
    return { path: ofTenant(`/ledgers/${owing().id}/vehicle-paper-removal`), body: paper };
  },
  getSigningLink: async () => {
    const { rows } = await sql<{ id: string; tenantId: string }>`
      SELECT d.id, l.tenant_id AS "tenantId" FROM esign_documents d JOIN ledgers l ON l.id = d.ledger_id
      JOIN document_signers s ON s.document_id = d.id AND s.linked_at IS NOT NULL
      WHERE l.tenant_id = ANY(${dana.tenantIds}::uuid[]) LIMIT 1`.execute(api.owner);
    const { id, tenantId } = rows[0]!;
    return { path: `${dana.prefix}/tenants/${tenantId}/documents/${id}/link` };
  },
  createCalendarFeed: () => Promise.resolve({ path: ofTenant('/calendar-feed') }),
  requestTexts: async () => {
    await api.sql`UPDATE facilities SET sends_texts = true`;
    await api.sql`UPDATE tenants SET phone = '8175550142' WHERE id = ${dana.tenantIds[0]!}`;
    const { body } = await api.call('GET', ofTenant('/reminders'), dana);
    const { consent } = (body as { texts: { consent: string } }).texts;
    return { path: ofTenant('/text-messages'), body: { consent } };
  },
  confirmTexts: () =>
    Promise.resolve({ path: ofTenant('/text-messages-code'), body: { code: '12345678' } }),
};

const all: Record<string, Endpoint> = endpoints;
const marked = Object.values(all).filter(({ confirm }) => confirm);

describe('in a kept session', () => {
  // spec 7.89
  test.each(marked.map((endpoint) => [endpoint.name, endpoint] as const))(
    '%s is refused ten minutes after the passkey, changes nothing, and works once it confirms',
    async (name, { method }) => {
      const kept = await keep();
      const { path, body } = await asking[name]!();
      pass(10 * MINUTE + 1000);
      const untouched = await sumOfTables(api.owner);
      const refused = await kept.call(method, path, body);
      expect([refused.status, refused.body]).toEqual([403, PLEASE_CONFIRM]);
      expect(refused.headers['gatehouse-step-up']).toBe('confirm');
      expect(await sumOfTables(api.owner)).toEqual(untouched);
      expect(await kept.confirm()).toBe(200);
      // The options of a new passkey are answered for five minutes.
      const sent = name === 'addPasskey' ? await freshPasskey(kept) : body;
      const answer = await kept.call(method, path, sent);
      expect(answer.status, answer.text).toBe(200);
      expect(answer.headers['gatehouse-step-up']).toBeUndefined();
    },
  );

  async function freshPasskey(kept: Kept) {
    const { body } = await kept.call('POST', '/users/passkeys/options');
    const credential = newAuthenticator(api.ctx.config.publicUrl).create(body as Creation);
    return { name: 'A laptop', credential };
  }

  test('everything else works without the passkey, and another tenant’s id is not found as ever', async () => {
    const kept = await keep();
    pass(5 * DAY);
    expect((await kept.call('GET', ofTenant('/overview'))).status).toBe(200);
    const stop = `${dana.prefix}/ledgers/${owing().id}/autopay-stop`;
    expect((await kept.call('POST', stop)).headers['gatehouse-step-up']).toBeUndefined();
    const foreign = `${dana.prefix}/tenants/${randomUUID()}/payments`;
    expect((await kept.call('POST', foreign, payment())).status).toBe(404);
  });

  test('a payment that was refused is taken once it is confirmed, once under its key', async () => {
    const kept = await keep();
    pass(DAY);
    const pay = () =>
      kept.call('POST', ofTenant('/payments'), payment(), { 'idempotency-key': 'one-payment' });
    expect((await pay()).status).toBe(403);
    expect(await kept.confirm()).toBe(200);
    const paid = await pay();
    expect(paid.status, paid.text).toBe(200);
    expect((await pay()).body).toEqual(paid.body);
  });

  // spec 10.44
  test('any other session is never asked, whenever it began', async () => {
    const ordinary = await keep(phone, {});
    pass(25 * MINUTE);
    for (const [method, path, body] of [
      ['PATCH', ofTenant(''), { alternateContact }],
      ['POST', ofTenant('/payments'), payment()],
    ] as const)
      expect((await ordinary.call(method, path, body)).status).toBe(200);
  });
});

describe('a passkey confirms', () => {
  test('where others have used up the network', async () => {
    const kept = await keep();
    const { limits } = api.ctx.config;
    const before = { ...limits };
    limits['sign-ins-an-hour'] = { most: 0, seconds: 3600 };
    expect(await kept.confirm()).toBe(200);
    Object.assign(limits, before);
  });

  const pay = (kept: Kept) => kept.call('POST', ofTenant('/payments'), payment());
  const isAsked = async (kept: Kept) => (await pay(kept)).status === 403;

  // spec 7.89
  test('for ten minutes', async () => {
    const kept = await keep();
    pass(DAY);
    expect(await isAsked(kept)).toBe(true);
    expect(await kept.confirm()).toBe(200);
    pass(9 * MINUTE);
    expect(await isAsked(kept)).toBe(false);
    pass(2 * MINUTE);
    expect(await isAsked(kept)).toBe(true);
  });

  test('also where it is another one of the same user, and not one of another user', async () => {
    const other = await addPasskey(dana);
    const lees = await addPasskey(await signIn(api, 'lee@example.com'));
    const kept = await keep();
    pass(DAY);
    expect(await kept.confirm(lees.phone)).toBe(422);
    expect(await isAsked(kept)).toBe(true);
    expect(await kept.confirm(other.phone)).toBe(200);
    expect(await isAsked(kept)).toBe(false);
  });

  // spec 10.42
  test('once: not by an answer that was used, is too old, or is another session’s or a sign-in’s', async () => {
    const kept = await keep();
    const other = await keep();
    pass(DAY);
    const used = phone.get(await kept.question());
    expect((await kept.answer(used)).status).toBe(200);
    pass(11 * MINUTE);
    const old = phone.get(await kept.question());
    pass(6 * MINUTE);
    const { body: signInOptions } = await api.call('POST', '/users/passkeys/sign-in-options');
    for (const answer of [
      used,
      old,
      phone.get(await other.question()),
      phone.get(signInOptions as Question),
      phone.get(await kept.question(), { origin: 'https://gatehouse.example' }),
      phone.get(await kept.question(), { flags: 0x19 }),
    ]) {
      const { status, body } = await kept.answer(answer);
      expect([status, body.message]).toEqual([
        422,
        'The passkey could not be verified. Please try again.',
      ]);
    }
    expect(await isAsked(kept)).toBe(true);
    // Nor does the answer of a confirmation sign in.
    const answer = phone.get(await kept.question());
    const signedIn = await api.call('POST', '/users/passkeys/sign-in', {
      body: { credential: answer },
    });
    expect(signedIn.status).toBe(401);
  });

  test('not by one that was removed, nor in a session that is not kept', async () => {
    const lost = await addPasskey(dana);
    const kept = await keep();
    pass(DAY);
    const answer = lost.phone.get(await kept.question());
    await api.owner.deleteFrom('passkeys').where('id', '=', lost.id).execute();
    expect((await kept.answer(answer)).status).toBe(422);
    expect(await isAsked(kept)).toBe(true);
    const ordinary = await keep(phone, {});
    const { status, body } = await ordinary.answer(phone.get(await ordinary.question()));
    expect([status, body.message]).toEqual([422, 'This session needs no confirmation.']);
  });

  // spec 10.42
  test('not for longer where the server’s clock is set back', async () => {
    const kept = await keep();
    pass(DAY);
    expect(await kept.confirm()).toBe(200);
    pass(-HOUR);
    expect(await isAsked(kept)).toBe(true);
  });

  test('and is audited, and so is what did not', async () => {
    const kept = await keep();
    await kept.confirm();
    await kept.answer(phone.get(await kept.question(), { counter: 0, type: 'webauthn.create' }));
    const events = await api.owner
      .selectFrom('audit_events')
      .select('kind')
      .orderBy('id', 'desc')
      .limit(2)
      .execute();
    expect(events.map(({ kind }) => kind)).toEqual(['confirmation_failed', 'session_confirmed']);
  });
});

describe('a gate code in a kept session', () => {
  const unit = () => ledgers.find(({ balance }) => balance <= 0)!;
  const gateOf = async (kept: Kept) =>
    (await kept.call('GET', `${dana.prefix}/units/${unit().unitId}/gate-access`))
      .body as GateAccess;
  const changeCode = (code: string) =>
    api.ctx.db.transaction().execute((trx) => writeGateCode(api.ctx, trx, unit().id, code));
  const shownTimes = async () =>
    (await findRows(api.owner, 'audit_events', 'id', { kind: 'gate_code_shown' })).length;

  test('is shown for as long as it is the one that was shown last, and noted as a digest', async () => {
    const kept = await keep();
    const { accessCode } = await gateOf(kept);
    expect(accessCode).toMatch(/^\d{4}#$/);
    pass(20 * DAY);
    expect(await gateOf(kept)).toMatchObject({ accessCode });
    const rows = await findRows(api.owner, 'shown_gate_codes', 'digest', {
      token_hash: hashToken(kept.token),
    });
    const plain = createHash('sha256').update(String(accessCode)).digest();
    expect(rows).toHaveLength(1);
    expect(rows[0]!.digest.equals(plain)).toBe(false);
  });

  // spec 10.43
  test('that changed is withheld everywhere until a passkey confirms, and then shown as before', async () => {
    const kept = await keep();
    const { accessCode: old } = await gateOf(kept);
    pass(DAY);
    await changeCode(old === '4711#' ? '4712#' : '4711#');
    const before = await shownTimes();
    const hidden = { unitId: unit().unitId, needsConfirm: true };
    expect(await gateOf(kept)).toMatchObject(hidden);
    const { body: listed, text } = await kept.call('GET', `${dana.prefix}/gate-access`);
    expect(listed).toContainEqual(expect.objectContaining(hidden));
    const overview = await kept.call('GET', ofTenant('/overview'));
    expect(overview.body.gateAccess).toContainEqual(expect.objectContaining(hidden));
    expect(text + overview.text).not.toMatch(/471[12]#/);
    expect(await shownTimes()).toBe(before);
    // Another session is not concerned.
    const ordinary = await keep(phone, {});
    expect((await gateOf(ordinary)).accessCode).toMatch(/471[12]#/);
    expect(await kept.confirm()).toBe(200);
    const shown = await gateOf(kept);
    expect(shown.accessCode).toMatch(/471[12]#/);
    expect(shown.needsConfirm).toBeUndefined();
    pass(DAY);
    expect(await gateOf(kept)).toEqual(shown);
  });

  test('that was shown only on another phone is new to this one', async () => {
    const [one, two] = [await keep(), await keep()];
    expect((await gateOf(one)).accessCode).toBeDefined();
    pass(HOUR);
    expect((await gateOf(two)).needsConfirm).toBe(true);
  });
});
