import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { clockOf } from '#adapters/clock.ts';
import { audit } from '#context/audit.ts';
import { chainAuditEvents, verifyAuditTrail } from '#features/base/audit/chain.ts';
import { queueText } from '#features/service/texts/texts.ts';
import { useTestApp, signIn } from '#test/app.ts';
import { forgetOld } from '#jobs/forget-old.ts';
import { photoWithGps } from '#test/photos.ts';
import { makeTextConsent } from '#test/texts.ts';
import { findRows, getRow } from '#test/rows.ts';

// The database's clock ends the periods, so that the rows are written by the same clock.
const api = useTestApp('demo_template', { clock: clockOf({ clockShiftMs: 0 }) });

const forget = () => forgetOld.run(api.ctx, [{}]);
/** Makes all rows of a table older. */
const age = (table: string, days: number, ...columns: string[]) =>
  sql`UPDATE ${sql.table(table)} SET ${sql.join(
    columns.map(
      (column) =>
        sql`${sql.ref(column)} = ${sql.ref(column)} - make_interval(hours => ${Math.round(days * 24)})`,
    ),
  )}`.execute(api.owner);
const count = async (table: string, where = sql`true`) => {
  const rows = await api.sql<{ count: number }>`
    SELECT count(*) AS count FROM ${sql.table(table)} WHERE ${where}`;
  return rows[0]!.count;
};

test('the text of a code’s mail is deleted after a day, of another after 90, and both rows after two years', async () => {
  const body = { email: 'dana@example.com', locationCode: 'TXDFW03', corporationCode: 'ANCHOR' };
  await api.call('POST', '/users/register', { body });
  const codes = sql`subject = 'Your verification code'`;
  const withText = sql`text_body <> '' OR html_body <> ''`;
  await api.sql`INSERT INTO mails (to_address, subject, kind, language, text_body, html_body)
    VALUES ('a@example.com', 'Hello', 'legal', 'en', 'sealed:1:Hi', 'sealed:1:Hi')`;
  const others = (await count('mails', withText)) - 1;
  await forget();
  expect(await count('mails', withText)).toBe(others + 1);
  await age('mails', 2, 'created_at', 'body_until');
  await forget();
  expect(await count('mails', sql`(${codes}) AND (${withText})`)).toBe(0);
  expect(await count('mails', withText)).toBe(others);
  await age('mails', 89, 'created_at', 'body_until');
  await forget();
  expect(await count('mails', withText)).toBe(0);
  const kept = await count('mails');
  expect(kept).toBeGreaterThan(0);
  await age('mails', 642, 'created_at');
  await forget();
  expect(await count('mails', sql`id NOT IN (SELECT mail_id FROM rate_notices)`)).toBe(0);
});

// asvs 14.2.7
test('an account lookup is deleted after a day, a session after 30', async () => {
  await signIn(api, 'dana@example.com');
  const body = { email: 'lee@example.com', locationCode: 'TXDFW03', corporationCode: 'ANCHOR' };
  await api.call('POST', '/users/register', { body });
  await age('account_lookups', 0.9, 'created_at');
  await age('sessions', 29, 'created_at');
  await forget();
  expect([await count('account_lookups'), await count('sessions')]).toEqual([2, 1]);
  await age('account_lookups', 1, 'created_at');
  await age('sessions', 2, 'created_at');
  await forget();
  expect([await count('account_lookups'), await count('sessions')]).toEqual([0, 0]);
});

test('a text message is blanked after 90 days, one with a code after a day, and its row is deleted after two years', async () => {
  const { tenantIds } = await signIn(api, 'dana@example.com');
  const queue = (kind: 'code' | 'welcome') =>
    api.ctx.db.transaction().execute((trx) =>
      queueText(api.ctx, trx, {
        tenantId: tenantIds[0]!,
        to: '+18175550142',
        kind,
        body: () => 'Hi',
      }),
    );
  await queue('code');
  await queue('welcome');
  const kinds = async (where = sql`body <> ''`) => {
    const rows = await api.sql<{ kind: string }>`
      SELECT kind FROM texts WHERE ${where} ORDER BY position`;
    return rows.map(({ kind }) => kind);
  };
  await age('texts', 0.9, 'created_at', 'body_until');
  await forget();
  expect(await kinds()).toEqual(['code', 'welcome']);
  await age('texts', 88, 'created_at', 'body_until');
  await forget();
  expect(await kinds()).toEqual(['welcome']);
  await age('texts', 2, 'created_at', 'body_until');
  await forget();
  expect([await kinds(), await kinds(sql`true`)]).toEqual([[], ['code', 'welcome']]);
  await age('texts', 642, 'created_at');
  await forget();
  expect(await kinds(sql`true`)).toEqual([]);
});

test('a consent to text messages is deleted five years after its end, what stops a number never, and other answers after 90 days', async () => {
  const { tenantIds } = await signIn(api, 'dana@example.com');
  const [ended, live] = [
    await makeTextConsent(api.owner, tenantIds[0]!),
    await makeTextConsent(api.owner, tenantIds[0]!),
  ];
  await api.sql`INSERT INTO text_consent_ends (consent_id, ended_at, reason) VALUES (${ended}, now(), 'switched_off')`;
  await api.sql`
    INSERT INTO text_replies (id, from_phone, word, body, received_at)
    VALUES ('1', '+18175550142', 'stop', 'STOP', now()), ('2', '+18175550142', 'help', NULL, now())`;
  await age('text_consent_ends', 1825, 'ended_at');
  await age('text_replies', 89, 'received_at');
  await forget();
  expect([await count('text_consents'), await count('text_replies')]).toEqual([2, 2]);
  await age('text_consent_ends', 3, 'ended_at');
  await age('text_replies', 5000, 'received_at');
  await forget();
  expect(await count('text_consents', sql`id = ${live}`)).toBe(1);
  expect([await count('text_consents'), await count('text_replies', sql`word = 'stop'`)]).toEqual([
    1, 1,
  ]);
  expect(await count('text_replies')).toBe(1);
});

// asvs 14.2.7
test('a request is deleted after two years, and then its photo with its file; a younger one keeps both', async () => {
  const { token, prefix, tenantIds } = await signIn(api, 'lee@example.com');
  const { body: ledgers } = await api.call('GET', `${prefix}/tenants/${tenantIds[0]}/ledgers`, {
    token,
  });
  const imageData = `data:image/jpeg;base64,${(await photoWithGps({ width: 40, height: 30 })).toString('base64')}`;
  const body = {
    ledgerId: ledgers[0].id,
    issueType: 'door',
    issueDescription: 'It sticks.',
    imageData,
  };
  const path = `${prefix}/maintenance-requests`;
  expect((await api.call('POST', path, { token, body })).status).toBe(200);
  const { file_key } = await getRow(api.owner, 'images', 'file_key');
  await age('requests', 729, 'created_at');
  await age('images', 731, 'created_at');
  await forget();
  expect([await count('images'), await count('requests')]).toEqual([1, 1]);
  await age('requests', 3, 'created_at');
  await forget();
  expect([await count('images'), await count('requests')]).toEqual([0, 0]);
  const sweeps = sql`name = 'sweep-file' AND data ->> 'key' = ${file_key} AND start_after <= now()`;
  expect(await count('pgboss.job', sweeps)).toBe(1);
});

test('a delivered webhook event is deleted after 90 days, an undelivered one and replies with their request', async () => {
  const { tenant_id, facility_id } = await api.owner
    .selectFrom('tenants')
    .select(['id as tenant_id', 'facility_id'])
    .executeTakeFirstOrThrow();
  const request = { tenant_id, facility_id, kind: 'move_out' as const, details: '{}' };
  const { id } = await api.owner
    .insertInto('requests')
    .values(request)
    .returning('id')
    .executeTakeFirstOrThrow();
  const events = await api.sql<{ id: string }>`
    INSERT INTO request_events (request_id, kind, status, via, created_at)
    VALUES (${id}, 'created', 'new', 'portal', now()), (${id}, 'status_changed', 'done', 'portal', now())
    RETURNING id`;
  await api.sql`INSERT INTO webhook_deliveries (event_id, begun_at, delivered_at, dead_at) VALUES
    (${events[0]!.id}, now(), now() - interval '91 days', NULL),
    (${events[1]!.id}, now(), NULL, now() - interval '91 days')`;
  await forget();
  expect([await count('webhook_deliveries'), await count('request_events')]).toEqual([1, 2]);
  await age('requests', 732, 'created_at');
  await forget();
  expect([await count('webhook_deliveries'), await count('request_events')]).toEqual([0, 0]);
});

test('network and browser of an action of staff are deleted after two years, and the action stays', async () => {
  await api.sql`INSERT INTO staff_actions (key, verb, request_hash, by_name, why, at, answer, ip, device) VALUES
    (${randomUUID()}, 'credits.add', '\\x00', 'Ana Flores', '', now(), '{}', '192.0.2.7', 'Firefox'),
    (${randomUUID()}, 'credits.add', '\\x00', 'Ana Flores', '', now(), '{}', NULL, 'Firefox')`;
  const actions = await count('staff_actions');
  const known = sql`ip IS NOT NULL OR device IS NOT NULL`;
  await age('staff_actions', 729, 'at');
  await forget();
  expect(await count('staff_actions', known)).toBe(2);
  await age('staff_actions', 3, 'at');
  await forget();
  expect([await count('staff_actions', known), await count('staff_actions')]).toEqual([0, actions]);
});

test('a mandate is deleted two years after its end, and a live one never', async () => {
  const mandates = await findRows(api.owner, 'mandates', 'id');
  expect(mandates.length).toBeGreaterThan(1);
  const [ended] = mandates;
  await api.sql`INSERT INTO mandate_ends (mandate_id, ended_at, reason) VALUES (${ended!.id}, now(), 'switched_off')`;
  await age('mandates', 2000, 'agreed_at');
  await age('mandate_ends', 729, 'ended_at');
  await forget();
  expect(await count('mandates')).toBe(mandates.length);
  await age('mandate_ends', 3, 'ended_at');
  await forget();
  expect([await count('mandates'), await count('mandate_ends')]).toEqual([mandates.length - 1, 0]);
});

test('an event of the gateway is deleted after 90 days, a parked one after two years', async () => {
  await api.sql`INSERT INTO gateway_events (id, type, body, received_at, state)
    VALUES ('e1', 't', '{}', now(), 'done'), ('e2', 't', '{}', now(), 'parked')`;
  await age('gateway_events', 91, 'received_at');
  await forget();
  expect([await count('gateway_events'), await count('gateway_events', sql`id = 'e2'`)]).toEqual([
    1, 1,
  ]);
  await age('gateway_events', 642, 'received_at');
  await forget();
  expect(await count('gateway_events')).toBe(0);
});

test('the audit trail is deleted after two years from its beginning on, and its chain still verifies', async () => {
  await forget();
  await api.sql`DELETE FROM audit_events`;
  await api.sql`UPDATE audit_chain SET position = 0, hash = '', base_position = 0, base_hash = ''`;
  await api.sql`UPDATE kysely_migration SET timestamp = '2020-01-01T00:00:00.000Z'`;
  const daysAgo = (days: number) => ({
    clock: clockOf({ clockShiftMs: -days * 86_400_000 }),
  });
  const request = { ip: '203.0.113.9', requestId: randomUUID() };
  const events = (days: number, number: number) =>
    audit(
      daysAgo(days),
      api.ctx.db,
      request,
      Array.from({ length: number }, () => ({ kind: 'signed_out' as const })),
    );
  await events(740, 1200);
  await events(10, 3);
  await events(740, 1);
  await chainAuditEvents(api.ctx);
  await forget();
  // An old event after younger ones is kept until they are deleted.
  expect(await count('audit_events')).toBe(4);
  expect(await verifyAuditTrail(api.ctx.db)).toMatchObject({
    checked: 4,
    end: { position: 1204 },
    fault: null,
  });
  await events(0, 1);
  await chainAuditEvents(api.ctx);
  expect(await verifyAuditTrail(api.ctx.db)).toMatchObject({ checked: 5, fault: null });
  await api.sql`DELETE FROM audit_events WHERE position = 1201`;
  expect((await verifyAuditTrail(api.ctx.db)).fault).toContain('place 1201');
});

test('a kind that cannot be deleted does not affect the others', async () => {
  await api.sql`CREATE TABLE hold (mandate_id uuid REFERENCES mandates)`;
  await api.sql`INSERT INTO hold SELECT id FROM mandates`;
  await api.sql`INSERT INTO mandate_ends (mandate_id, ended_at, reason)
    SELECT id, now() - interval '3 years', 'switched_off' FROM mandates LIMIT 1`;
  await chainAuditEvents(api.ctx);
  await api.sql`UPDATE audit_events SET at = at - interval '3 years'`;
  await expect(forget()).rejects.toMatchObject({ errors: [{ errors: [{ code: '23503' }] }] });
  expect([await count('mandate_ends'), await count('audit_events')]).toEqual([1, 0]);
});

test('every reference to a row that is deleted has an index', async () => {
  const rows = await api.sql<{ key: string; isIndexed: boolean }>`
    SELECT f.conrelid::regclass || '.' || a.attname AS key, EXISTS (
      SELECT FROM pg_index i WHERE i.indrelid = f.conrelid AND i.indkey[0] = f.conkey[1] AND i.indisvalid) AS "isIndexed"
    FROM pg_constraint f JOIN pg_attribute a ON a.attrelid = f.conrelid AND a.attnum = f.conkey[1]
    WHERE f.contype = 'f' AND f.conrelid <> 'hold'::regclass AND f.confrelid = ANY(${[
      ...['sessions', 'mails', 'requests', 'gateway_events', 'autopay_updates'],
      ...['mandates', 'mandate_ends', 'audit_events', 'images'],
    ]}::regclass[])`;
  expect(rows.map(({ key }) => key)).toContain('rate_notices.mail_id');
  expect(rows.filter(({ isIndexed }) => !isIndexed)).toEqual([]);
});
