import { randomUUID } from 'node:crypto';
import { pathOf } from '@gatehouse/contract/endpoint';
import {
  isAtLeast,
  MEMBER_HEADER,
  officeRoles,
  type OfficeEndpoint,
} from '@gatehouse/contract/office/office-endpoint';
import { officeEndpoints } from '@gatehouse/contract/office/office-endpoints';
import type { FastifyInstance, InjectOptions } from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildApp } from '#app/app.ts';
import { OFFICE_COOKIE } from '#http/staff-guard.ts';
import { createMetrics } from '#telemetry/metrics.ts';
import { useTestApp, signIn } from './app.ts';
import { callOffice, OFFICE_PAGE, signInStaff } from './office.ts';
import { addRows, getRow } from './rows.ts';

/** Every call of the contract, so that none can be left out. */
const all = Object.entries<OfficeEndpoint>(officeEndpoints);
const ofStaff = all.filter(([, { access }]) => access === 'staff');

const api = useTestApp('demo_template');
let lastSeeded = 0;
beforeAll(async () => {
  const rows = await api.sql<{ id: number }>`SELECT coalesce(max(id), 0) AS id FROM audit_events`;
  lastSeeded = rows[0]!.id;
});

/** Ids of nothing in the path. */
function pathFor({ path, params }: OfficeEndpoint): string {
  const names = Object.keys((params as { shape?: object } | undefined)?.shape ?? {});
  return pathOf(path, Object.fromEntries(names.map((name) => [name, randomUUID()])));
}

function call(endpoint: OfficeEndpoint, as: string | undefined, headers = {}) {
  const body = endpoint.method === 'GET' ? undefined : {};
  return callOffice(api, endpoint.method, pathFor(endpoint), { as, body, headers });
}

/** What each call that changes something is sent. */
const bodies: Record<string, object> = {
  addNote: { key: randomUUID(), text: 'A note.' },
  changeNote: { isRemoved: true },
  answerRequest: { key: randomUUID(), version: 0, reply: 'Done.', status: 'done' },
  changeFacility: { key: randomUUID(), why: 'test', isPreview: true, changes: { lateFee: 77 } },
  cancelFacilityChange: { why: 'test' },
  keepLateTemplate: { key: randomUUID(), name: 'Mine', subject: 'Pay', text: 'Pay {owed}.' },
  removeLateTemplate: {},
  changeRecipient: { kind: 'morning_late', address: 'desk@example.com', isRemoved: false },
};
/** Calls about an account of staff or an import, which are of no facility. */
const ofAccounts = [
  ...['getStaff', 'changeStaff', 'actOnStaff'],
  ...['renameStaffPasskey', 'removeStaffPasskey', 'getImport', 'cancelImport'],
];
/**
 * Answers to an owner other than 200: there is no photo, no paper and no final statement, a form is
 * a text, and a document is signed of which no copy was made.
 */
const found: Record<string, [number, string]> = {
  getRequestPhoto: [404, 'Not found.'],
  getPaperOfRental: [404, 'Not found.'],
  getFinalStatement: [404, 'Not found.'],
  getFormSample: [404, 'Not found.'],
  getOfficeDocument: [503, 'The signed copy is being made. Please try again in a moment.'],
};

let made: Promise<Record<string, string>> | undefined;
/** The ids of one thing of each kind at a facility. */
function idsAt(locationCode: string): Promise<Record<string, string>> {
  made ??= makeAt(locationCode);
  return made;
}

async function makeAt(locationCode: string): Promise<Record<string, string>> {
  const rows = await api.sql<Record<string, string>>`
    SELECT t.id AS "tenantId", l.id AS "ledgerId", 'registration' AS "paperKind", l.unit_id AS "unitId", f.id AS "facilityId",
      (SELECT p.receipt_number FROM payments p WHERE p.ledger_id = l.id LIMIT 1) AS "receiptNumber"
    FROM tenants t JOIN facilities f ON f.id = t.facility_id JOIN ledgers l ON l.tenant_id = t.id
    WHERE f.location_code = ${locationCode} LIMIT 1`;
  const { tenantId, facilityId, ...rest } = rows[0]!;
  const now = api.ctx.clock.now();
  const by = { by_name: 'June Park', created_at: now };
  const [noteId, changeId, templateId] = [randomUUID(), randomUUID(), randomUUID()];
  await addRows(api.owner, 'tenant_notes', {
    id: noteId,
    tenant_id: tenantId!,
    text: 'Theirs.',
    removed_at: null,
    staff_id: null,
    by_role: null,
    ...by,
  });
  await addRows(api.owner, 'facility_changes', {
    id: changeId,
    facility_id: facilityId!,
    changes: '{"lateFee":9}',
    why: 'test',
    ...by,
    on_day: '2099-01-01',
    applied_at: null,
    cancelled_at: null,
  });
  await addRows(api.owner, 'late_templates', {
    id: templateId,
    facility_id: facilityId!,
    name: 'Theirs',
    subject: 'Pay',
    text: 'Pay.',
    ...by,
    removed_at: null,
  });
  const printingId = randomUUID();
  const letter = { from: [], to: ['Maria'], on: '2026-11-01', subject: 'Pay', text: '', units: [] };
  await addRows(api.owner, 'late_letters', {
    tenant_id: tenantId!,
    on_day: letter.on,
    printing_id: printingId,
    letter: JSON.stringify(letter),
    owed_cents: 100,
    ...by,
  });
  const request = await api.owner
    .insertInto('requests')
    .values({
      facility_id: facilityId!,
      tenant_id: tenantId!,
      ledger_id: null,
      user_id: null,
      kind: 'resend_esign_documents_form',
      image_id: null,
      idempotency_key: null,
      request_hash: null,
      details: JSON.stringify({
        facilityName: 'Phoenix',
        unitNames: ['A1'],
        tenant: { name: 'Maria', email: 'maria@example.com', phone: null },
        pending: [],
      }),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const form = { name: 'Theirs', body: 'Sign.', is_at_move_in: false, created_at: now };
  const { id: formId } = await api.owner
    .insertInto('document_forms')
    .values({ ...form, facility_id: facilityId!, by_name: by.by_name })
    .returning('id')
    .executeTakeFirstOrThrow();
  const documentId = randomUUID();
  await addRows(api.owner, 'esign_documents', {
    id: documentId,
    ledger_id: rest['ledgerId']!,
    form_name: form.name,
    envelope_status_id: 2,
    form_id: formId,
    body: '[]',
    made_at: now,
    ends_at: now,
  });
  const { id: statementId } = await api.owner
    .insertInto('statements')
    .values({
      ...{ tenant_id: tenantId!, month: '2026-01', first_on: null, last_on: null, follows: null },
      ...{ created_at: now, entries_through: 0, ledger_ids: [] },
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return {
    ...rest,
    documentId,
    formId,
    tenantId: tenantId!,
    facilityId: facilityId!,
    noteId,
    changeId,
    templateId,
    printingId,
    statementId,
    requestId: request.id,
  };
}

describe('every call of the office', () => {
  test.each(ofStaff)(
    '%s is refused without a session, with a dead one and with a tenant’s',
    async (_, endpoint) => {
      const { token } = await signIn(api, 'dana@example.com');
      const answers = await Promise.all([
        call(endpoint, undefined),
        call(endpoint, 'rot_dead'),
        call(endpoint, token),
        call(endpoint, undefined, { authorization: `Bearer ${token}` }),
      ]);
      expect(answers.map(({ status }) => status)).toEqual([401, 401, 401, 401]);
    },
  );

  test.each(ofStaff)(
    '%s is refused to a page that shows another member, or none, unless it comes before or after',
    async (_, endpoint) => {
      const { id } = await getRow(api.owner, 'staff_members', 'id', {
        email: 'clerk@anchor-axle.example',
      });
      for (const named of [id, '', 'x', `${id}, ${id}`]) {
        const as = await signInStaff(api, 'owner');
        const answer = await call(endpoint, as, { [MEMBER_HEADER]: named });
        if (endpoint.isUnnamed) expect(answer.status).toBe(200);
        else {
          expect(answer.status).toBe(409);
          expect(answer.body.message).toBe(
            'Another member of staff is signed in here now. Please load the page again.',
          );
          const me = await callOffice(api, 'GET', '/office/me', { as });
          expect(answer.headers[MEMBER_HEADER.toLowerCase()]).toBe(me.body.id);
        }
      }
    },
  );

  test('a page that names no member, as one from before an update, is asked to load again', async () => {
    const as = await signInStaff(api, 'owner');
    const answer = await api.app.inject({
      method: 'GET',
      url: '/api/office/staff',
      headers: { ...OFFICE_PAGE, cookie: `${OFFICE_COOKIE}=${as}` },
    });
    expect([answer.statusCode, answer.json().message]).toEqual([
      409,
      'The office has been updated. Please load the page again.',
    ]);
  });

  test('only finding out who is signed in needs no member named', () => {
    const unnamed = ofStaff.flatMap(([name, { isUnnamed }]) => (isUnnamed ? name : []));
    expect(unnamed.toSorted()).toEqual(['getMe']);
  });

  test.each(ofStaff)('%s is for its role and those above', async (_, endpoint) => {
    for (const role of officeRoles) {
      // Another one each time, because one of the calls ends it.
      const { status, body } = await call(endpoint, await signInStaff(api, role));
      const may = isAtLeast(role, endpoint.role!);
      expect([role, status === 403], JSON.stringify(body)).toEqual([role, !may]);
      if (may) expect([200, 404, 422, 409]).toContain(status);
    }
  });

  test.each(ofStaff.filter(([, { params }]) => params !== undefined))(
    '%s finds nothing of another facility, like nothing at all, and an owner finds it',
    async (name, endpoint) => {
      const ids = await idsAt('AZPHX01');
      const body = bodies[name];
      const send = (of: Record<string, string>, as: string) =>
        callOffice(api, endpoint.method, pathOf(endpoint.path, of), { as, ...(body && { body }) });
      const names = Object.keys((endpoint.params as unknown as { shape: object }).shape);
      const of = (from: (name: string) => string) =>
        Object.fromEntries(names.map((each) => [each, from(each)]));
      if (ofAccounts.includes(name)) return;
      const as = await signInStaff(api, 'manager');
      const foreign = await send(
        of((each) => ids[each]!),
        as,
      );
      const missing = await send(
        of(() => randomUUID()),
        as,
      );
      const malformed = await send(
        of(() => 'x'),
        as,
      );
      expect([foreign.status, missing.status, malformed.status]).toEqual([404, 404, 404]);
      const asOwner = await send(
        of((each) => ids[each]!),
        await signInStaff(api, 'owner'),
      );
      expect([name, asOwner.status, asOwner.body?.message]).toEqual([
        name,
        ...(found[name] ?? [200, undefined]),
      ]);
    },
  );

  test('leaves no event that says only a name: each has the member, the network and the device', async () => {
    const rows = await api.sql<{ said: string }>`
      SELECT DISTINCT kind || ' ' || coalesce(details->>'verb', details->>'call', details->>'change', '') AS said
      FROM audit_events WHERE at >= ${api.ctx.clock.now()} AND id > ${lastSeeded}
        AND details ? 'by' AND (staff_id IS NULL OR ip IS NULL OR device IS NULL)`;
    expect(rows).toEqual([]);
    const all = await api.sql<{ verb: string }>`
      SELECT DISTINCT details->>'verb' AS verb FROM audit_events WHERE id > ${lastSeeded} AND kind = 'staff_action'`;
    expect(all.map(({ verb }) => verb).toSorted()).toEqual([
      'facilities.addRecipient',
      'facilities.cancelChange',
      'notes.add',
      'notes.remove',
      'notices.keepText',
      'notices.removeText',
      'records.show',
      'tenants.asTenant',
      'tenants.show',
    ]);
  });

  describe('where the office has a host of its own', () => {
    const office = { url: 'https://office.example.com', isApart: true };
    const publicUrl = 'https://portal.example.com';
    let apart: FastifyInstance;
    beforeAll(async () => {
      const config = { ...api.ctx.config, publicUrl, office };
      apart = await buildApp({ ...api.ctx, config, metrics: createMetrics() });
    });
    afterAll(() => apart.close());

    /** The portal's, one that a proxy forwards by mistake, loopback, an address, and none. */
    const others = ['portal.example.com', 'desk.example.com', 'localhost:3000', '10.0.0.7', ''];
    const statusesOf = (method: InjectOptions['method'], url: string) =>
      Promise.all(
        others.map(async (host) => {
          const cookie = `${OFFICE_COOKIE}=${await signInStaff(api, 'owner')}`;
          const headers = { host, cookie, origin: office.url, 'x-forwarded-host': hostOfOffice };
          return (await apart.inject({ method, url, headers })).statusCode;
        }),
      );
    const hostOfOffice = new URL(office.url).host;
    const nowhere = others.map(() => 404);

    test.each(all)(
      '%s is not there under another host, no matter who calls',
      async (_, endpoint) => {
        expect(await statusesOf(endpoint.method, `/api${pathFor(endpoint)}`)).toEqual(nowhere);
      },
    );

    test.each([
      ['GET', '/office'],
      ['GET', '/office/'],
      ['GET', '/office/tenants'],
      ['GET', '/%6fffice'],
      ['GET', '/office/assets/index.js'],
      ['GET', '/api/office'],
      ['GET', '/api/office/unknown'],
      ['GET', '/api/%6fffice/me'],
      // Not 405: which methods a path takes says that it is there.
      ['POST', '/api/office/me'],
      ['DELETE', '/api/office/session'],
    ] as const)('%s %s is not there under another host', async (method, url) => {
      expect(await statusesOf(method, url)).toEqual(nowhere);
    });

    test('its own host has it, and nothing of the portal', async () => {
      const headers = { host: hostOfOffice, 'sec-fetch-site': 'same-origin' };
      const statusOf = async (method: InjectOptions['method'], url: string) =>
        (await apart.inject({ method, url, headers })).statusCode;
      expect(await statusOf('GET', '/api/office/me')).toBe(401);
      expect(await statusOf('POST', '/api/office/me')).toBe(405);
      expect(await statusOf('GET', '/api/corporations/ANCHOR/locations')).toBe(404);
      expect(await statusOf('GET', '/login')).toBe(404);
    });

    // spec 10.86
    test('a password manager is led to where a password is changed, on either host', async () => {
      const url = '/.well-known/change-password';
      const on = async (host: string) => {
        const { statusCode, headers } = await apart.inject({ url, headers: { host } });
        return [statusCode, headers.location];
      };
      expect(await on(new URL(publicUrl).host)).toEqual([303, '/forgot-password']);
      expect(await on(hostOfOffice)).toEqual([302, '/office']);
    });
  });

  test('opens no call of tenants: their token is in a header, and the cookie is none', async () => {
    const as = await signInStaff(api, 'owner');
    const answer = await callOffice(
      api,
      'GET',
      '/corporations/ANCHOR/locations/TXDFW03/gate-access',
      {
        as,
      },
    );
    expect(answer.status).toBe(401);
  });
});
