import { randomUUID } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { sql } from 'kysely';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { audit } from '#context/audit.ts';
import { auditRefusedAccess } from '#http/refusals.ts';
import { openLog } from '#telemetry/log.ts';
import { DEMO_PASSWORD } from '#seeds/demo.ts';
import { useTestApp, signIn, signInByPassword, type SignedIn, type TestApp } from '#test/app.ts';
import { runCli } from '#test/cli.ts';
import { testClock } from '#test/test-day.ts';
import { chainAuditEvents, verifyAuditTrail } from './chain.ts';

const api = useTestApp('demo_template');
let dana: SignedIn;
beforeAll(async () => {
  dana = await signIn(api, 'dana@example.com');
});

const eventsAfter = (id: number) =>
  api.owner.selectFrom('audit_events').selectAll().where('id', '>', id).orderBy('id').execute();
const lastId = async () => {
  const rows = await api.sql<{ id: number }>`SELECT coalesce(max(id), 0) AS id FROM audit_events`;
  return rows[0]!.id;
};
let before: number;
beforeEach(async () => {
  before = await lastId();
});
const kindsOf = async () => (await eventsAfter(before)).map(({ kind }) => kind);

describe('the audit trail holds', () => {
  const login = (password: string, username = 'dana@example.com') =>
    api.call('POST', '/users/login', {
      body: { username, password, locationCode: 'TXDFW03', corporationCode: 'ANCHOR' },
    });

  // asvs 16.2.1, 16.3.1
  test('sign-ins with user, facility, address and request; wrong ones with a digest only, known or not', async () => {
    await login('anchor-axle-27');
    await login('anchor-axle-27', 'nobody.of.ours@example.com');
    await login(DEMO_PASSWORD);
    const [wrong, unknown, right] = await eventsAfter(before);
    expect(wrong).toMatchObject({
      kind: 'sign_in_failed',
      user_id: null,
      account: expect.any(Buffer),
    });
    expect(unknown).toMatchObject({
      kind: 'sign_in_failed',
      user_id: null,
      account: expect.any(Buffer),
    });
    expect(right).toMatchObject({ kind: 'signed_in', ip: '127.0.0.1', account: wrong!.account });
    expect(right!.user_id).not.toBeNull();
    expect(right!.request_id).toMatch(/^[0-9a-f-]{36}$/);
    expect(JSON.stringify([wrong, unknown])).not.toMatch(/nobody|dana|anchor/);
  });

  // asvs 16.3.1
  test('the session that a sixth replaces, and a sign-out', async () => {
    for (let i = 0; i < 5; i++) await signInByPassword(api, 'lee@example.com');
    const { token } = await signInByPassword(api, 'lee@example.com');
    await api.call('POST', '/users/logout', { token });
    expect((await kindsOf()).slice(-3)).toEqual(['session_replaced', 'signed_in', 'signed_out']);
  });

  test('each gate code that is shown, and none that is withheld', async () => {
    const { body } = await api.call('GET', `${dana.prefix}/gate-access`, dana);
    const shown = (body as { accessCode?: string }[]).filter(
      ({ accessCode }) => accessCode !== undefined,
    );
    expect(shown.length).toBeGreaterThan(0);
    const events = await eventsAfter(before);
    expect(events.map(({ kind }) => kind)).toEqual(shown.map(() => 'gate_code_shown'));
    expect(events[0]).toMatchObject({
      user_id: expect.any(String),
      ledger_id: expect.any(String),
      details: null,
    });
  });

  test('what a tenant changes of a record or asks staff to, without what was given', async () => {
    const { token, prefix, tenantIds } = await signInByPassword(api, 'sam@example.com');
    const contact = {
      firstName: 'Rosa',
      lastName: 'Diaz',
      email: 'rosa.diaz@example.com',
      phone: '8175550111',
    };
    before = await lastId();
    const path = `${prefix}/tenants/${tenantIds[0]}`;
    expect(
      (await api.call('PATCH', path, { token, body: { alternateContact: contact } })).status,
    ).toBe(200);
    const events = await eventsAfter(before);
    expect(events).toMatchObject([{ kind: 'alternate_contact_set', tenant_id: tenantIds[0] }]);
    expect(JSON.stringify(events)).not.toMatch(/Rosa|Diaz|8175550111/);
  });

  // asvs 16.3.3
  test('a token in an address or a body, which opens nothing, without the token', async () => {
    const path = `${dana.prefix}/gate-access`;
    expect((await api.call('GET', `${path}?access_token=${dana.token}`)).status).toBe(401);
    const body = {
      email: 'x@example.com',
      locationCode: 'TXDFW03',
      corporationCode: 'ANCHOR',
      authorization: dana.token,
    };
    await api.call('POST', '/users/register', { body });
    const events = await eventsAfter(before);
    expect(events.map(({ kind, details }) => [kind, details?.place])).toEqual([
      ['token_misplaced', 'address'],
      ['token_misplaced', 'body'],
    ]);
    expect(JSON.stringify(events)).not.toContain(dana.token);
  });

  test('a flood of such tokens from many addresses costs a bounded number of queries', async () => {
    for (let index = 1; index <= 100; index += 1)
      await api.app.inject({
        url: `/api/nothing?token=${index}`,
        remoteAddress: `203.0.113.${index}`,
      });
    expect((await eventsAfter(before)).length).toBeLessThanOrEqual(60);
  });

  // asvs 16.3.2
  test('ids of another user, under the route’s pattern, and no flood of them', async () => {
    const ids = { userId: randomUUID(), facilityId: randomUUID() };
    const request = {
      id: randomUUID(),
      ip: '203.0.113.9',
      method: 'GET',
      routeOptions: { url: '/api/ledgers/:id' },
    };
    for (let i = 0; i < 70; i++)
      await auditRefusedAccess(api.ctx, request as FastifyRequest, ids, 'right');
    const events = await eventsAfter(before);
    expect(events).toHaveLength(60);
    expect(events[0]).toMatchObject({
      kind: 'access_refused',
      user_id: ids.userId,
      details: { route: 'GET /api/ledgers/:id', lacks: 'right' },
    });
  });
});

// asvs 16.4.2
test('the server may add to the trail, but not choose a place in it, change or remove anything', async () => {
  const { db } = api.ctx;
  for (const statement of [
    sql`INSERT INTO audit_events (at, kind, position, hash) VALUES (${testClock.now()}, 'signed_in', 1, '\\x00')`,
    sql`UPDATE audit_events SET kind = 'signed_out'`,
    sql`DELETE FROM audit_events`,
    sql`TRUNCATE audit_events`,
    sql`UPDATE audit_chain SET position = 0`,
    sql`SELECT FROM audit_chain FOR UPDATE`,
  ])
    await expect(statement.execute(db)).rejects.toMatchObject({ code: '42501' });
});

describe('the chain (I9)', () => {
  const verify = (...args: string[]) => runCli(api, 'audit', ['verify', ...args]);

  test('is appended by concurrent jobs without a gap, and verifies', async () => {
    const event = {
      kind: 'signed_out' as const,
      userId: randomUUID(),
      details: { route: 'a|b “c” \\ \n' },
    };
    const from = { staffId: randomUUID(), userAgent: 'Mozilla/5.0 (X11 | Linux) é' };
    const request = { ip: '::1', requestId: randomUUID(), ...from };
    await audit(
      api.ctx,
      api.ctx.db,
      request,
      Array.from({ length: 1500 }, () => event),
    );
    await Promise.all(Array.from({ length: 8 }, () => chainAuditEvents(api.ctx)));
    const rows = await api.sql<{ last: number; count: number; waiting: number }>`
      SELECT max(position) AS last, count(position) AS count, count(*) FILTER (WHERE position IS NULL) AS waiting
      FROM audit_events`;
    expect(rows[0]).toEqual({ last: rows[0]!.count, count: rows[0]!.last, waiting: 0 });
    const { lines, code } = await verify();
    expect(lines[0]).toMatch(
      new RegExp(`^${rows[0]!.count} events are as they were written, up to`),
    );
    expect(code).toBe(0);
  });

  /** The fault found after these statements by the database's owner, which are then rolled back. */
  const foundAfter = async (...tampering: string[]) => {
    const { end } = await verifyAuditTrail(api.owner);
    let found: string | null = null;
    await api.owner
      .transaction()
      .execute(async (trx) => {
        for (const statement of tampering) await sql.raw(statement).execute(trx);
        found = (await verifyAuditTrailIn(trx, end)).fault;
        throw new Error('rolled back');
      })
      .catch((error: unknown) => expect((error as Error).message).toBe('rolled back'));
    return found;
  };
  const verifyAuditTrailIn = (trx: TestApp['owner'], end: { position: number; hash: string }) =>
    verifyAuditTrail(trx, [end]);

  // asvs 11.4.3
  test.each([
    [
      'altered',
      `UPDATE audit_events SET user_id = gen_random_uuid() WHERE position = 5`,
      'place 5',
    ],
    [
      'altered in its time by a microsecond',
      `UPDATE audit_events SET at = at + interval '1 microsecond' WHERE position = 7`,
      'place 7',
    ],
    [
      'given another member',
      `UPDATE audit_events SET staff_id = gen_random_uuid() WHERE position = 8`,
      'place 8',
    ],
    ['given a device', `UPDATE audit_events SET device = 'x' WHERE position = 9`, 'place 9'],
    ['removed', `DELETE FROM audit_events WHERE position = 6`, 'place 6'],
    ['the first, removed', `DELETE FROM audit_events WHERE position = 1`, 'place 1'],
    [
      'the last, removed',
      `DELETE FROM audit_events WHERE position = (SELECT position FROM audit_chain)`,
      'is missing',
    ],
  ])('shows an event that was %s', async (_what, statement, sentence) => {
    expect(await foundAfter(statement)).toContain(sentence);
  });

  // asvs 16.4.2
  test('shows one that was inserted, and two that were swapped', async () => {
    const shift = [
      `UPDATE audit_events SET position = -position - 1 WHERE position >= 8`,
      `UPDATE audit_events SET position = -position WHERE position < 0`,
    ];
    const insert = `INSERT INTO audit_events (at, kind, position, hash)
      SELECT at, 'signed_out', 8, hash FROM audit_events WHERE position = 9`;
    expect(await foundAfter(...shift, insert)).toContain('place 8');
    expect(
      await foundAfter(
        `UPDATE audit_events SET position = -1 WHERE position = 3`,
        `UPDATE audit_events SET position = 3 WHERE position = 4`,
        `UPDATE audit_events SET position = 4 WHERE position = -1`,
      ),
    ).toContain('place 3');
    expect(
      await foundAfter(`INSERT INTO audit_events (at, kind, position, hash)
        SELECT '2026-11-25', 'signed_out', position + 1, '\\x00' FROM audit_chain`),
    ).toMatch(/is not as it was written|was put in/);
  });

  // asvs 16.4.3
  test('that was rewritten or truncated differs from the log', async () => {
    const rewrite = [
      `UPDATE audit_events SET kind = 'signed_out' WHERE position = 2`,
      `UPDATE audit_events SET position = NULL, hash = NULL`,
      `UPDATE audit_chain SET position = 0, hash = ''`,
      `SELECT chain_audit_events(10000)`,
    ];
    expect(await foundAfter(...rewrite)).toContain('differs from the log');
    const truncate = [
      `DELETE FROM audit_events WHERE position > 10`,
      `UPDATE audit_chain SET position = 10, hash = (SELECT hash FROM audit_events WHERE position = 10)`,
    ];
    expect(await foundAfter(...truncate)).toContain('place 11');
  });

  test('is reported by the command with exit code 3 where it is broken', async () => {
    const { lines, code } = await verify('--anchor', `3:${'0'.repeat(64)}`);
    expect(lines[0]).toBe('The chain differs from the log at place 3.');
    expect(code).toBe(3);
  });

  test('that was wiped differs from the log, and also without the log while the portal is young', async () => {
    const lines: string[] = [];
    const log = openLog('info', { write: (line) => lines.push(line) });
    const request = { ip: '203.0.113.9', requestId: randomUUID() };
    await audit(api.ctx, api.ctx.db, request, [{ kind: 'signed_out' }]);
    await chainAuditEvents({ ...api.ctx, log });
    const { anchor } = JSON.parse(lines[0]!) as { anchor: string };
    const place = Number(anchor.split(':')[0]);
    expect((await verify('--anchor', anchor)).code).toBe(0);
    await api.sql`DELETE FROM audit_events`;
    await api.sql`UPDATE audit_chain SET base_position = position, base_hash = hash`;
    const young = `The chain begins after place ${place}, though no event is old enough to be forgotten.`;
    expect(await verify()).toMatchObject({ lines: [young], code: 3 });
    await api.sql`UPDATE kysely_migration SET timestamp = '2020-01-01T00:00:00.000Z'`;
    const early = `The event at place ${place} of the chain was forgotten before its time.`;
    expect(await verify('--anchor', anchor)).toMatchObject({ lines: [early], code: 3 });
    const other = `The chain differs from the log at place ${place}.`;
    expect(await verify('--anchor', `${place}:${'0'.repeat(64)}`)).toMatchObject({
      lines: [other],
      code: 3,
    });
    // An anchor of events that were deleted after their retention period, which cannot be checked
    // any more.
    const forgotten = await verify(
      '--anchor',
      `${place - 1}:${'0'.repeat(64)}:2020-01-01T00:00:00.000Z`,
    );
    expect(forgotten.lines[1]).toBe(
      `Forgotten, and cannot be checked: the events at the places ${place - 1}.`,
    );
    expect(forgotten.code).toBe(3);
    expect(
      (await verify('--anchor', anchor.slice(0, -':2026-11-21T12:00:00.000Z'.length))).code,
    ).toBe(0);
  });
});
