import { createHash } from 'node:crypto';
import type { Autopay } from '@gatehouse/contract/autopay';
import type { Ledger } from '@gatehouse/contract/ledgers';
import { MANDATE_VERSION } from '@gatehouse/contract/mandate';
import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import { sandboxNumbers } from '#adapters/payments/sandbox-gateway.ts';
import { signIn, type SignedIn, useTestApp } from '#test/app.ts';
import { mailsTo } from '#test/mails.ts';
import { testClock } from '#test/test-day.ts';
import { changeRows, getRow } from '#test/rows.ts';

const card = {
  cardType: 'Discover',
  cardNumber: '6011111111111117',
  cardCvv: '123',
  expirationMonth: '11',
  expirationYear: String(testClock.now().getUTCFullYear() + 2),
  name: 'Dana Reyes',
  streetAddress: '18 Heron Lane',
  postalCode: '76020',
};
const ach = {
  accountType: 'Consumer Savings',
  accountNumber: '000123456789',
  routingNumber: '111000025',
};

let dana: SignedIn;
let lee: SignedIn;
let ledgers: Ledger[];
const api = useTestApp('demo_template');
beforeAll(async () => {
  dana = await signIn(api, 'dana@example.com');
  lee = await signIn(api, 'lee@example.com');
  const path = `${dana.prefix}/tenants/${dana.tenantIds[0]}/ledgers`;
  ledgers = (await api.call('GET', path, { token: dana.token })).body as Ledger[];
});

const update = (ledgerId: string, body: unknown, headers: Record<string, string> = {}) =>
  api.call('POST', `${dana.prefix}/ledgers/${ledgerId}/autopay-update`, {
    token: dana.token,
    body,
    headers,
  });
const stop = (ledgerId: string, { token } = dana) =>
  api.call('POST', `${dana.prefix}/ledgers/${ledgerId}/autopay-stop`, { token });
const list = async () =>
  (
    await api.call('GET', `${dana.prefix}/tenants/${dana.tenantIds[0]}/autopays`, {
      token: dana.token,
    })
  ).body as Autopay[];
const mandatesOf = (ledgerId: string) =>
  api.owner
    .selectFrom('mandates as m')
    .leftJoin('mandate_ends as e', 'e.mandate_id', 'm.id')
    .selectAll('m')
    .select(['e.reason', 'e.user_id as ended_by'])
    .where('m.ledger_id', '=', ledgerId)
    .orderBy('m.agreed_at')
    .execute();
const subjects = async () => (await mailsTo(api, 'dana@example.com')).map(({ subject }) => subject);
const tokens = async () => {
  const { rows } = await sql<{
    count: number;
  }>`SELECT count(*)::int AS count FROM sandbox_gateway.methods`.execute(api.owner);
  return rows[0]!.count;
};

describe('the consent', () => {
  test('is kept word for word with version, hash, time, origin, user and method, and mailed to the address on file', async () => {
    const { id, unitName } = ledgers[0]!;
    const answer = await update(id, { creditCard: card }, { 'user-agent': 'a test' });
    const [mandate, ...more] = await mandatesOf(id);
    expect(more).toEqual([]);
    expect(mandate).toMatchObject({
      text_version: MANDATE_VERSION,
      ip: '127.0.0.1',
      user_agent: 'a test',
      payment_method_id: answer.body.creditCard.paymentMethodId,
      reason: null,
    });
    expect(mandate!.user_id).not.toBeNull();
    expect(mandate!.text).toContain(`my card ending in 1117 for unit ${unitName}`);
    expect(mandate!.text_hash).toEqual(createHash('sha256').update(mandate!.text).digest());
    const mail = (await mailsTo(api, 'dana@example.com')).find(
      ({ subject }) => subject === `Autopay is on for unit ${unitName}`,
    );
    for (const paragraph of mandate!.text.split('\n'))
      expect(mail!.text.replace(/\s+/g, ' ')).toContain(paragraph);
  });

  test('is replaced by the next, and can be neither changed nor removed by the server', async () => {
    const { id } = ledgers[0]!;
    await update(id, { ach });
    const mandates = await mandatesOf(id);
    expect(mandates.map(({ reason }) => reason)).toEqual(['replaced', null]);
    expect(mandates[1]!.text).toContain('my bank account ending in 6789');
    await expect(changeRows(api.ctx.db, 'mandates', { text: 'no' })).rejects.toThrow(
      /permission denied/,
    );
    await expect(api.ctx.db.deleteFrom('mandates').execute()).rejects.toThrow(/permission denied/);
  });

  test('is kept in the language in which the tenant read it', async () => {
    const { id, unitName } = ledgers[0]!;
    await update(id, { creditCard: card }, { 'gatehouse-language': 'es' });
    const text = (await mandatesOf(id)).at(-1)!.text;
    expect(text).toContain(`mi tarjeta terminada en 1117, por la unidad ${unitName}`);
  });

  test('of several at once one lives', async () => {
    const { id } = ledgers[2]!;
    const { body } = await update(id, { creditCard: card });
    const saved = { creditCard: { paymentMethodId: body.creditCard.paymentMethodId } };
    await Promise.all(Array.from({ length: 5 }, () => update(id, saved)));
    const live = (await mandatesOf(id)).filter(({ reason }) => reason === null);
    expect(live).toHaveLength(1);
    const { mandate_id } = await getRow(api.owner, 'autopays', 'mandate_id', { ledger_id: id });
    expect(mandate_id).toBe(live[0]!.id);
  });

  test('is not given with a card that its bank has refused for good, also entered again: 422, until another is', async () => {
    const { id } = ledgers[2]!;
    const calledIn = { ...card, cardNumber: '6011000990139424' };
    const { paymentMethodId } = (await update(id, { creditCard: calledIn })).body.creditCard;
    await changeRows(
      api.owner,
      'payment_methods',
      { refused_at: testClock.now() },
      { id: paymentMethodId },
    );
    const before = await mandatesOf(id);
    for (const creditCard of [{ paymentMethodId }, calledIn]) {
      const answer = await update(id, { creditCard });
      expect([answer.status, answer.body.message]).toEqual([
        422,
        expect.stringMatching(/^The bank has refused/),
      ]);
    }
    expect(await mandatesOf(id)).toEqual(before);
    expect((await list()).find(({ ledgerId }) => ledgerId === id)).toMatchObject({
      active: true,
      nextCharge: null,
      problem: expect.stringMatching(/^Your bank refused/),
    });
    expect((await update(id, { creditCard: card })).body).toMatchObject({
      active: true,
      problem: null,
    });
  });
});

describe('an Idempotency-Key', () => {
  const key = (value: string) => ({ 'idempotency-key': value });

  test('repeated with the same card gives the same record and keeps one token at the gateway', async () => {
    const { id } = ledgers[1]!;
    const before = await tokens();
    const first = await update(id, { creditCard: card }, key('autopay-1'));
    const count = (await mandatesOf(id)).length;
    const again = await update(id, { creditCard: card }, key('autopay-1'));
    expect([again.status, again.body]).toEqual([200, first.body]);
    expect(await tokens()).toBe(before + 1);
    expect(await mandatesOf(id)).toHaveLength(count);
  });

  test('sent many times at once keeps one token too; the others wait or get the record', async () => {
    const { id } = ledgers[1]!;
    const before = await tokens();
    const mandates = (await mandatesOf(id)).length;
    const answers = await Promise.all(
      Array.from({ length: 100 }, () => update(id, { creditCard: card }, key('autopay-2'))),
    );
    for (const { status } of answers) expect([200, 409]).toContain(status);
    expect((await update(id, { creditCard: card }, key('autopay-2'))).status).toBe(200);
    expect(await tokens()).toBe(before + 1);
    expect(await mandatesOf(id)).toHaveLength(mandates + 1);
  });

  test('means the same where the path names the unit in capitals', async () => {
    const { id } = ledgers[1]!;
    const before = await tokens();
    for (const path of [id.toUpperCase(), id, id.toUpperCase()])
      expect((await update(path, { creditCard: card }, key('autopay-5'))).status).toBe(200);
    expect(await tokens()).toBe(before + 1);
  });

  test('of another card, another unit or another type of method: 422', async () => {
    const { id } = ledgers[1]!;
    await update(id, { creditCard: card }, key('autopay-3'));
    const before = await mandatesOf(id);
    for (const [ledgerId, body] of [
      [id, { creditCard: { ...card, cardNumber: '6011000990139424' } }],
      [id, { ach }],
      [ledgers[0]!.id, { creditCard: card }],
    ] as const)
      expect((await update(ledgerId, body, key('autopay-3'))).status).toBe(422);
    expect(await mandatesOf(id)).toEqual(before);
  });

  test('whose card was declined may be used for the same again', async () => {
    const { id } = ledgers[1]!;
    const declined = { creditCard: { ...card, cardNumber: sandboxNumbers.declined } };
    expect((await update(id, declined, key('autopay-4'))).status).toBe(402);
    expect((await update(id, declined, key('autopay-4'))).status).toBe(402);
  });

  test('keeps no number of a card or account', async () => {
    const { rows } = await sql<{
      row: string;
    }>`SELECT to_json(u)::text AS row FROM autopay_updates u`.execute(api.owner);
    expect(rows.length).toBeGreaterThan(0);
    for (const { row } of rows) expect(row).not.toContain(card.cardNumber);
  });
});

describe('switching autopay off', () => {
  // spec 7.74
  test('ends the consent, keeps the method, and tells the address on file', async () => {
    const { id, unitName } = ledgers[1]!;
    const on = (await update(id, { creditCard: card })).body as Autopay;
    const answer = await stop(id);
    expect([answer.status, answer.body]).toEqual([
      200,
      { ...on, active: false, nextCharge: null, problem: null },
    ]);
    const ended = (await mandatesOf(id)).at(-1)!;
    expect(ended.reason).toBe('switched_off');
    expect(ended.ended_by).toBe(ended.user_id);
    expect((await subjects()).at(-1)).toBe(`Autopay is off for unit ${unitName}`);
  });

  test('again changes nothing and answers the same; it can be set up anew with the saved method', async () => {
    const { id } = ledgers[1]!;
    const [mails, before] = [await subjects(), await stop(id)];
    expect((await stop(id)).body).toEqual(before.body);
    expect(await subjects()).toEqual(mails);
    const { paymentMethodId } = before.body.creditCard;
    expect((await update(id, { creditCard: { paymentMethodId } })).body).toMatchObject({
      active: true,
      problem: null,
    });
  });

  // spec 7.74
  test('another tenant’s unit: 404; without a session: 401', async () => {
    const { id } = ledgers[1]!;
    expect((await stop(id, lee)).status).toBe(404);
    const path = `${dana.prefix}/ledgers/${id}/autopay-stop`;
    expect((await api.call('POST', path)).status).toBe(401);
    expect((await mandatesOf(id)).at(-1)!.reason).toBeNull();
  });
});
