import { randomUUID } from 'node:crypto';
import { standardNotice } from '@gatehouse/contract/late-notices';
import { officeEndpoints } from '@gatehouse/contract/office/office-endpoints';
import type { OfficeEndpoint } from '@gatehouse/contract/office/office-endpoint';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { z } from 'zod/mini';
import { useTestApp } from './app.ts';
import { callOffice, signInStaff } from './office.ts';
import { getRow } from './rows.ts';

const START = new Date('2026-11-24T15:00:00Z');
let now = START;
const api = useTestApp('demo_template', { clock: { now: () => now } });
let as: string;
let last: number;
beforeEach(async () => {
  // Another hour for each, because what was shown is counted by the hour.
  now = new Date(now.getTime() + 2 * 3_600_000);
  as = await signInStaff(api, 'clerk');
  const rows = await api.sql<{
    last: number;
  }>`SELECT coalesce(max(id), 0)::int AS last FROM audit_events`;
  last = rows[0]!.last;
});

const get = (path: string, query: Record<string, string> = {}) =>
  callOffice(api, 'GET', path, { as, query });
const tenantIdOf = async (email: string) =>
  (await getRow(api.owner, 'tenants', 'id', { email })).id;
const events = () =>
  api.owner.selectFrom('audit_events').selectAll().where('id', '>', last).orderBy('id').execute();
const shown = async () =>
  (await events()).map(({ details }) => {
    const { rows, pages } = details as Record<string, string>;
    return [pages, rows];
  });

describe('what the office shows of tenants', () => {
  test('is noted for every call that reads it, by the call itself or by its handler', () => {
    const reads = Object.values(officeEndpoints as Record<string, OfficeEndpoint>).filter(
      ({ method, access }) => method === 'GET' && access === 'staff',
    );
    const isPersonal = ({ reply }: OfficeEndpoint) =>
      /"(tenantName|firstName|tenantEmail|isOfRecord|contentType|fault)":/.test(
        JSON.stringify(z.toJSONSchema(reply, { io: 'output', unrepresentable: 'any' })),
      );
    const unnoted = reads.filter((one) => isPersonal(one) && one.shows === undefined);
    expect(unnoted.map(({ name }) => name).toSorted()).toEqual([
      // Of invented values.
      'getFormSample',
      // An event of its own.
      'getPaperOfRental',
      'getTenantFile',
      // The first rows of lists, on the page that a sign-in opens and that reads itself again.
      'getToday',
      // An event of its own.
      'viewAsTenant',
    ]);
  });

  test('is an event with member, list, rows and filter, and nothing of the rows', async () => {
    const { status, body } = await get('/office/tenants', {
      standing: 'current',
      limit: '2',
      locationCode: 'TXDFW03',
    });
    expect([status, body.rows.length]).toEqual([200, 2]);
    const [event, ...more] = await events();
    expect(more).toEqual([]);
    const { id: facility_id } = await getRow(api.owner, 'facilities', 'id', {
      location_code: 'TXDFW03',
    });
    const { id: staff_id } = await getRow(api.owner, 'staff_members', 'id', {
      email: 'clerk@anchor-axle.example',
    });
    expect(event).toMatchObject({ kind: 'staff_action', facility_id, staff_id, ip: '127.0.0.1' });
    expect(event!.details).toEqual({
      verb: 'records.show',
      by: 'Ana Flores',
      why: '',
      shows: 'Tenants',
      rows: '2',
      pages: '1',
      filter: 'standing current',
    });
  });

  test('is an event of the first, second, fourth and eighth page of an hour, with the sums', async () => {
    let after: string | null = null;
    for (let page = 0; page < 5; page += 1) {
      const { body } = await get('/office/units', { limit: '1', ...(after && { after }) });
      after = body.next;
    }
    expect(await shown()).toEqual([
      ['1', '1'],
      ['2', '2'],
      ['4', '4'],
    ]);
    await get('/office/units', { limit: '1', state: 'occupied' });
    await get('/office/late', { limit: '1' });
    expect((await shown()).slice(3)).toEqual([
      ['1', '1'],
      ['1', '1'],
    ]);
    now = new Date(now.getTime() + 3_600_000);
    as = await signInStaff(api, 'clerk');
    await get('/office/units', { limit: '1' });
    expect((await shown()).slice(5)).toEqual([['1', '1']]);
  });

  test('is no event where there is nothing, and holds no text that was typed', async () => {
    expect((await get('/office/tenants', { q: 'nobody has this name' })).body.rows).toEqual([]);
    expect(await events()).toEqual([]);
    expect((await get('/office/tenants', { q: 'reyes' })).body.rows.length).toBeGreaterThan(0);
    const [event] = await events();
    expect(event!.details).toMatchObject({ filter: 'q typed' });
    expect(JSON.stringify(event)).not.toMatch(/reyes/i);
  });

  test('is noted as by the member and as what it is, whatever is looked for', async () => {
    as = await signInStaff(api, 'owner');
    await get(`/office/tenants/${await tenantIdOf('lee@example.com')}`);
    expect((await get('/office/audit', { verb: 'tenants.show' })).body.rows).not.toEqual([]);
    await get('/office/audit', { by: 'June', kind: 'staff_action', verb: 'tenants.show' });
    const noted = (await events()).slice(1).map(({ details }) => details);
    expect(noted).toMatchObject([
      { verb: 'records.show', by: 'June Park', filter: 'verb typed' },
      { verb: 'records.show', by: 'June Park', filter: 'by typed, kind typed, verb typed' },
    ]);
  });

  test('of one record is noted with its id', async () => {
    const tenantId = await tenantIdOf('lee@example.com');
    expect((await get(`/office/tenants/${tenantId}/books`)).status).toBe(200);
    const [event] = await events();
    expect(event).toMatchObject({ tenant_id: tenantId, details: { shows: 'Books' } });
  });

  test('is not shown where it cannot be noted', async () => {
    await api.sql`CREATE FUNCTION refuse_event() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN RAISE 'full'; END $$`;
    await api.sql`CREATE TRIGGER refuse BEFORE INSERT ON audit_events FOR EACH ROW
      EXECUTE FUNCTION refuse_event()`;
    onTestFinished(async () => {
      await api.sql`DROP FUNCTION refuse_event CASCADE`;
    });
    const answer = await get('/office/tenants');
    expect(answer.status).toBe(500);
    expect(answer.text).not.toContain('@example.com');
  });

  test('by the preview of a change, letter, statement or invitations is noted, and the preview writes no more', async () => {
    as = await signInStaff(api, 'owner');
    last = (await events()).at(-1)?.id ?? last;
    const { id: facility_id } = await getRow(api.owner, 'facilities', 'id', {
      location_code: 'TXDFW03',
    });
    const tenantId = await tenantIdOf('dana@example.com');
    const { id: ledgerId } = (await get('/office/late', { locationCode: 'TXDFW03', q: 'dana' }))
      .body.rows[0];
    last = (await events()).at(-1)!.id;
    const preview = async (verb: string, given: object) => {
      const body = { key: randomUUID(), why: '', isPreview: true, ...given };
      const answer = await callOffice(api, 'POST', `/office/verbs/${verb}`, { as, body });
      expect([answer.status, answer.body.message]).toEqual([200, undefined]);
      return answer.text;
    };
    expect(await preview('tenants/change', { tenantId, street1: 'Any' })).toContain('"from"');
    const letter = { ledgerIds: [ledgerId], ...standardNotice };
    expect(await preview('notices/print', letter)).toContain('Dana Reyes');
    const days = { from: '2026-11-01', to: '2026-11-24', isMailed: true };
    expect(await preview('statements/issue', { tenantId, ...days })).toContain('dana@example.com');
    await preview('tenants/invite', { locationCode: 'TXDFW03' });
    expect(await events()).toMatchObject([
      { facility_id, tenant_id: tenantId, details: { verb: 'tenants.show', by: 'June Park' } },
      { facility_id, tenant_id: tenantId, details: { verb: 'records.show', shows: 'Letter' } },
      { facility_id, tenant_id: tenantId, details: { verb: 'tenants.show', by: 'June Park' } },
      { facility_id, details: { verb: 'records.show', shows: 'tenants to invite' } },
    ]);
  });
});
