import { beforeEach, describe, expect, test, vi } from 'vitest';
import { connectionsOf } from '#db/database.ts';
import { changeEmailOf } from '#features/rentals/tenants/staff-records.ts';
import { makeUser } from '#seeds/builders.ts';
import { useTestApp, signIn, signInByPassword, type SignedIn } from '#test/app.ts';
import { mailsTo } from '#test/mails.ts';
import { patience } from '#test/patience.ts';
import { makeObjectionLink } from './objections.ts';
import { findRows, getRow } from '#test/rows.ts';
import { staffCall } from '#test/staff-call.ts';

const EAGLE_MOUNTAIN = 'eagle-mountain@anchor-axle.example';
const ON_FILE = 'lee@example.com';

const api = useTestApp('demo_template');
let lee: SignedIn;
beforeEach(async () => {
  lee = await signIn(api, ON_FILE);
  await api.owner.deleteFrom('requests').execute();
  await api.owner.deleteFrom('mails').execute();
});

/** Asks for the record as it is, but for the fields given. */
async function ask(change: Record<string, string>, headers: Record<string, string> = {}) {
  const path = `${lee.prefix}/tenants/${lee.tenantIds[0]}`;
  const { body: record } = await api.call('GET', path, lee);
  const { street1, street2, city, region, postalCode } = record.address;
  const body = {
    formType: 'request_tenant_update',
    firstName: record.firstName,
    lastName: record.lastName,
    phone: '8175550142',
    emailAddress: record.email,
    address1: street1,
    ...(street2 && { address2: street2 }),
    city,
    state: region,
    postal: postalCode,
    ...change,
  };
  return api.call('POST', `${path}/update/request`, { token: lee.token, body, headers });
}

async function linkOnFile(): Promise<string> {
  const [mail] = await mailsTo(api, ON_FILE);
  return /\/objections\/\S+/.exec(mail?.text ?? '')![0];
}
const post = (url: string) =>
  api.app.inject({
    method: 'POST',
    url,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: '',
  });
const statusOf = () => getRow(api.owner, 'requests', ['status', 'version']);
const answers = async () =>
  (await api.call('GET', `${lee.prefix}/tenants/${lee.tenantIds[0]}`, lee)).status;

describe('a request for another email address', () => {
  // asvs 7.5.1
  test('is mailed at once to the address on file, with a link to object', async () => {
    const { body, status } = await ask({ emailAddress: 'thief@example.com' });
    expect(status).toBe(200);
    const mails = await mailsTo(api, ON_FILE);
    expect(mails).toHaveLength(1);
    expect(mails[0]!.text).toContain('thief@example.com');
    expect(mails[0]!.text).toContain(body.reference);
    expect(await mailsTo(api, 'thief@example.com')).toEqual([]);
  });

  test('is mailed once where the same request is repeated', async () => {
    const key = { 'idempotency-key': '0d9c8b7a-6f5e-4d3c-8b2a-190807060504' };
    await ask({ emailAddress: 'thief@example.com' }, key);
    await ask({ emailAddress: 'thief@example.com' }, key);
    expect(await mailsTo(api, ON_FILE)).toHaveLength(1);
  });

  test('is not mailed where the address differs in case only, or another field is asked', async () => {
    await ask({ emailAddress: 'LEE@example.com' });
    await ask({ city: 'Azle' });
    expect(await mailsTo(api, ON_FILE)).toEqual([]);
  });
});

describe('the link to object', () => {
  beforeEach(async () => {
    await ask({ emailAddress: 'thief@example.com' });
  });

  test('shows a question and changes nothing until it is answered', async () => {
    const answer = await api.app.inject({ url: await linkOnFile() });
    expect([answer.statusCode, answer.headers['cache-control']]).toEqual([200, 'no-store']);
    expect(answer.headers['content-security-policy']).toContain("default-src 'none'");
    expect(answer.body).toContain('I did not ask for this');
    expect(await statusOf()).toEqual({ status: 'new', version: 0 });
    expect(await answers()).toBe(200);
  });

  test('closes the request, ends every session of the one who asked, and notifies staff, once', async () => {
    const link = await linkOnFile();
    const twice = await Promise.all([post(link), post(link)]);
    expect(twice.map(({ statusCode }) => statusCode)).toEqual([200, 200]);
    expect(twice[0].body).toContain('Your objection is recorded');
    expect(await statusOf()).toEqual({ status: 'done', version: 1 });
    expect(await answers()).toBe(401);
    const subjects = (await mailsTo(api, EAGLE_MOUNTAIN)).map(({ subject }) => subject);
    expect(subjects.filter((one) => one.startsWith('Do not change the email'))).toHaveLength(1);
    const audited = await findRows(api.owner, 'audit_events', 'kind', {
      kind: 'contact_update_objected',
    });
    expect(audited).toHaveLength(1);
    expect((await api.app.inject({ url: link })).body).toContain('Your objection is recorded');
  });

  test('speaks the language of the browser', async () => {
    await ask({ emailAddress: 'new@example.com' });
    const url = await linkOnFile();
    const headers = { 'accept-language': 'es' };
    expect((await api.app.inject({ url, headers })).body).toMatch(
      /lang="es".*¿Pidió usted otro correo electrónico\?/s,
    );
    const closed = await api.app.inject({ method: 'POST', url, headers });
    expect(closed.body).toMatch(/Su objeción quedó registrada.*llame al centro al \(817\)/s);
    expect((await mailsTo(api, EAGLE_MOUNTAIN)).at(-1)!.subject).toMatch(
      /^Do not change the email address/,
    );
    const bad = await api.app.inject({ url: `${url.slice(0, -2)}AA`, headers });
    expect(bad.body).toContain('Este enlace no está completo.');
  });

  test('that is posted many times at once leaves connections for others, whatever holds it up', async () => {
    const link = await linkOnFile();
    let posts: ReturnType<typeof post>[] = [];
    await api.owner.transaction().execute(async (trx) => {
      await trx.selectFrom('requests').select('id').forUpdate().execute();
      posts = Array.from({ length: 60 }, () => post(link));
      await vi.waitFor(
        () => expect(connectionsOf(api.ctx.db).used).toBeGreaterThanOrEqual(6),
        patience,
      );
      // Of another urgency, so it waits for none of them but at the pool.
      expect((await signInByPassword(api, 'dana@example.com')).token).toMatch(/^rvt_/);
    });
    const statuses = (await Promise.all(posts)).map(({ statusCode }) => statusCode);
    expect(statuses).toContain(200);
    expect(await statusOf()).toEqual({ status: 'done', version: 1 });
  });

  test('of another request, altered or cut opens nothing', async () => {
    const link = await linkOnFile();
    const { id } = await api.owner
      .insertInto('requests')
      .columns(['facility_id', 'tenant_id', 'ledger_id', 'kind', 'details', 'created_at', 'status'])
      .expression((from) =>
        from
          .selectFrom('requests')
          .select((to) => [
            'facility_id',
            'tenant_id',
            'ledger_id',
            to.val('request_gate_access_form' as const).as('kind'),
            'details',
            'created_at',
            'status',
          ]),
      )
      .returning('id')
      .executeTakeFirstOrThrow();
    const foreign = new URL(makeObjectionLink(api.ctx, id)).pathname;
    const dead = [foreign, `${link.slice(0, -2)}AA`, `${link}A`, '/objections/rqo_'];
    for (const url of dead) expect((await post(url)).statusCode).toBe(404);
    expect(await answers()).toBe(200);
  });

  // Last: Lee has no record from then on.
  test('that comes after staff made the change ends the sessions of the new address too', async () => {
    const link = await linkOnFile();
    const call = staffCall();
    const body = { tenantId: lee.tenantIds[0], email: 'thief@example.com' };
    await changeEmailOf(api.ctx, call, body);
    const thiefs = { email: 'thief@example.com', password: 'x', tenantIds: lee.tenantIds };
    await makeUser(api.owner, thiefs);
    const thief = await signIn(api, 'thief@example.com');
    const read = () => api.call('GET', `${lee.prefix}/tenants/${lee.tenantIds[0]}`, thief);
    expect((await read()).status).toBe(200);
    await post(link);
    expect((await read()).status).toBe(401);
    const event = await getRow(api.owner, 'request_events', 'author', { kind: 'objected' });
    expect(event.author).toBe(ON_FILE);
  });
});
