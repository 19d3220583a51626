import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { GatewayUnknown } from '#adapters/payments/gateway.ts';
import { sandboxNumbers } from '#adapters/payments/sandbox-gateway.ts';
import { deleteFolders, faultsOf, importInto } from '#operator/imports/import.fixture.ts';
import { lookUpPending } from '#features/money/payments/resolve.ts';
import { settleReturn } from '#features/money/payments/returns.ts';
import { makeLedger, postCharges } from '#seeds/builders.ts';
import { openTestApp, signIn, type SignedIn, type TestApp } from '#test/app.ts';
import { expectSoundBooks } from '#test/books.ts';
import { card } from '#test/card.ts';
import { openStripeApp } from '#test/stripe/app.ts';
import { allowAccountFor } from './allow-account.ts';
import { onPaymentDisputed } from './disputes.ts';
import { learnFingerprints } from './fingerprints.ts';
import { findRows, getRow } from '#test/rows.ts';
import { staffCall } from '#test/staff-call.ts';

const REFUSED = 'The bank has refused this payment method. Please give another card or account.';

type Unit = { id: string; unitId: string; unitName: string };

let api: TestApp;
let dana: SignedIn;
beforeAll(async () => {
  api = await openTestApp('demo_template');
  dana = await signIn(api, 'dana@example.com');
});
afterAll(async () => {
  await api.close();
  await deleteFolders();
});

let made = 0;
/** A bank account that no test before has used. */
const newAccount = () => ({
  ach: {
    accountType: 'Consumer Checking' as const,
    accountNumber: `00012345${String((made += 1)).padStart(4, '0')}`,
    routingNumber: '110000000',
  },
});

/** A rental of Dana's that owes 100 dollars. */
async function rental(): Promise<Unit> {
  const tenantId = dana.tenantIds[0]!;
  const { facility_id } = await getRow(api.owner, 'tenants', 'facility_id', { id: tenantId });
  const unitName = `A${randomUUID().slice(0, 6)}`;
  const { ledgerId: id, unitId } = await makeLedger(api.owner, api.ctx.vault, {
    tenant_id: tenantId,
    unit: { facility_id, name: unitName },
    moved_in_on: '2026-11-14',
  });
  const charge = { dueOn: '2026-11-14', periodEnd: '2026-12-13', priceCents: 10_000 };
  await postCharges(api.owner, id, [{ category: 'rent', description: 'Rent', ...charge }]);
  return { id, unitId, unitName };
}

async function pay(unit: Unit, method: object): Promise<{ status: number; reference: string }> {
  const { status } = await api.call(
    'POST',
    `${dana.prefix}/tenants/${dana.tenantIds[0]}/payments`,
    {
      token: dana.token,
      body: { payments: [{ ledgerId: unit.id, unitId: unit.unitId, amount: 100 }], ...method },
    },
  );
  const { intent_id } = await getRow(api.owner, 'payment_intent_ledgers', 'intent_id', {
    ledger_id: unit.id,
  });
  return { status, reference: intent_id };
}

const setAutopay = ({ id }: Unit, body: object) =>
  api.call('POST', `${dana.prefix}/ledgers/${id}/autopay-update`, { token: dana.token, body });

async function standing({ id }: Unit) {
  return api.owner
    .selectFrom('autopays as a')
    .innerJoin('payment_methods as pm', 'pm.id', 'a.payment_method_id')
    .leftJoin('mandate_ends as e', 'e.mandate_id', 'a.mandate_id')
    .select(['a.active', 'e.reason as ended'])
    .select((row) => row('pm.refused_at', 'is not', null).as('refused'))
    .where('a.ledger_id', '=', id)
    .executeTakeFirst();
}
const offMails = async (names: string[]) =>
  (await findRows(api.owner, 'mails', ['to_address', 'subject'])).filter(
    ({ subject }) =>
      subject.startsWith('Autopay is off') && names.some((name) => subject.includes(name)),
  );
const going = { active: true, ended: null, refused: false };
const stopped = { active: false, ended: 'returned', refused: true };

describe('a return on a first payment with a new account', () => {
  test.each(['R02', 'R03', 'R07', 'R10', 'R16', 'R29'])(
    'with %s stops autopay that was just set up with that account, and every other entry of it',
    async (code) => {
      const [paid, other, elsewhere] = [await rental(), await rental(), await rental()];
      const account = newAccount();
      const { reference } = await pay(paid, account);
      expect((await setAutopay(paid, account)).status).toBe(200);
      expect((await setAutopay(other, account)).status).toBe(200);
      expect((await setAutopay(elsewhere, newAccount())).status).toBe(200);
      for (let round = 0; round < 2; round += 1) await settleReturn(api.ctx, reference, code);
      expect(await standing(paid)).toEqual(stopped);
      expect(await standing(other)).toEqual(stopped);
      expect(await standing(elsewhere)).toEqual(going);
      const names = [paid.unitName, other.unitName].toSorted();
      expect(await offMails(names)).toEqual([
        { to_address: 'dana@example.com', subject: `Autopay is off for units ${names.join(', ')}` },
      ]);
      await expectSoundBooks(api.owner);
    },
  );

  test.each(['R01', 'R09', 'R11'])('with %s stops nothing', async (code) => {
    const unit = await rental();
    const account = newAccount();
    const { reference } = await pay(unit, account);
    await setAutopay(unit, account);
    await settleReturn(api.ctx, reference, code);
    expect(await standing(unit)).toEqual(going);
  });

  test('before autopay is set up refuses that account for autopay, however it is entered, and no other', async () => {
    const unit = await rental();
    const account = newAccount();
    const { reference } = await pay(unit, account);
    await settleReturn(api.ctx, reference, 'R10');
    const refused = await setAutopay(unit, account);
    expect([refused.status, refused.body.message]).toEqual([422, REFUSED]);
    expect((await setAutopay(unit, newAccount())).status).toBe(200);
  });

  test('while autopay is being set up leaves none on that account, whichever comes first', async () => {
    for (let round = 0; round < 5; round += 1) {
      const unit = await rental();
      const method = newAccount();
      const { reference } = await pay(unit, method);
      await Promise.all([setAutopay(unit, method), settleReturn(api.ctx, reference, 'R07')]);
      expect((await standing(unit))?.active ?? false).toBe(false);
    }
  });

  test('stops it at another record and facility too, and tells each tenant of their own units', async () => {
    const unit = await rental();
    const account = newAccount();
    const { reference } = await pay(unit, account);
    const lee = await signIn(api, 'lee@example.com');
    const { body } = await api.call('GET', `${lee.prefix}/tenants/${lee.tenantIds[0]}/ledgers`, {
      token: lee.token,
    });
    const leesUnit = (body as Unit[])[0]!;
    const path = `${lee.prefix}/ledgers/${leesUnit.id}/autopay-update`;
    expect((await api.call('POST', path, { token: lee.token, body: account })).status).toBe(200);
    await settleReturn(api.ctx, reference, 'R02');
    expect(await standing(leesUnit)).toEqual(stopped);
    expect(await offMails([unit.unitName, leesUnit.unitName])).toEqual([
      { to_address: 'lee@example.com', subject: `Autopay is off for unit ${leesUnit.unitName}` },
    ]);
  });

  test('through Stripe stops autopay that the same form set up', async () => {
    const [sandbox, danaThere] = [api, dana];
    const stripe = await openStripeApp();
    onTestFinished(async () => {
      [api, dana] = [sandbox, danaThere];
      await stripe.close();
    });
    api = stripe;
    dana = await signIn(stripe, 'dana@example.com');
    const unit = await rental();
    const fields = {
      ach: {
        paymentToken: stripe.stub.confirmationToken('pm_usBankAccount_accountClosed'),
        keepForAutopay: true,
      },
    };
    const { reference } = await pay(unit, fields);
    expect((await setAutopay(unit, fields)).status).toBe(200);
    await stripe.stub.settle();
    await lookUpPending(stripe.ctx, reference);
    expect(await standing(unit)).toEqual(stopped);
  });
});

describe('an account that came with an import', () => {
  let facilityId: string;
  beforeAll(async () => {
    const facilities = api.owner
      .selectFrom('facilities')
      .select('id')
      .where('location_code', '=', 'TXDFW03');
    facilityId = (await facilities.executeTakeFirstOrThrow()).id;
  });
  const learn = () => learnFingerprints(api.ctx, { facilityId });

  const tokenFile = (method: string, token: string) => ({
    'gateway-tokens.csv':
      'facility,payment_method_id,tenant_id,type,gateway_token,brand,last_four,routing_last_four\n' +
      `TXDFW03,${method},${dana.tenantIds[0]},ach,${token},Consumer Checking,0001,0000\n`,
  });

  /**
   * A rental on autopay with an account, both as a file says it: by the token at the gateway.
   * Answers the method's id too.
   */
  async function importedOn({
    ach,
  }: ReturnType<typeof newAccount>): Promise<Unit & { methodId: string }> {
    const unit = await rental();
    const { token } = await api.ctx.gateway.saveMethod({ type: 'ach', account: ach }, null);
    const method = `${unit.unitName}-M`;
    const autopay =
      'facility,ledger_id,payment_method_id,agreed_on,consent_text\n' +
      `TXDFW03,${unit.id},${method},2026-01-31,"I authorize, on each due date"\n`;
    const result = await importInto(api, { ...tokenFile(method, token), 'autopay.csv': autopay });
    expect(faultsOf(result)).toEqual([]);
    const { row_id: methodId } = await getRow(api.owner, 'external_ids', 'row_id', {
      external_id: method,
    });
    return { ...unit, methodId };
  }
  const fingerprintOf = async ({ methodId }: { methodId: string }) =>
    (await findRows(api.owner, 'payment_methods', 'fingerprint', { id: methodId }))[0]!.fingerprint;

  test('is stopped by a return on another entry of it', async () => {
    const account = newAccount();
    const [imported, paid] = [await importedOn(account), await rental()];
    await learn();
    const { reference } = await pay(paid, account);
    await settleReturn(api.ctx, reference, 'R02');
    expect(await standing(imported)).toEqual(stopped);
  });

  test('stops another entry of it by a return on itself, also of a payment from before it was known', async () => {
    const account = newAccount();
    const [imported, other] = [await importedOn(account), await rental()];
    expect((await setAutopay(other, account)).status).toBe(200);
    const { reference } = await pay(imported, { ach: { paymentMethodId: imported.methodId } });
    await learn();
    await settleReturn(api.ctx, reference, 'R02');
    expect(await standing(imported)).toEqual(stopped);
    expect(await standing(other)).toEqual(stopped);
  });

  test('is stopped, with a mail, where a return had stopped it before it was known; allowed again it stays off', async () => {
    const account = newAccount();
    const [imported, paid] = [await importedOn(account), await rental()];
    const { reference } = await pay(paid, account);
    await settleReturn(api.ctx, reference, 'R02');
    expect(await standing(imported)).toEqual(going);
    for (let round = 0; round < 2; round += 1) await learn();
    expect(await standing(imported)).toEqual(stopped);
    expect(await offMails([imported.unitName])).toEqual([
      { to_address: 'dana@example.com', subject: `Autopay is off for unit ${imported.unitName}` },
    ]);
    const call = staffCall({ why: 'released by the bank' });
    await allowAccountFor(api.ctx, call, {
      tenantId: dana.tenantIds[0]!,
      methodId: imported.methodId,
    });
    expect(await standing(imported)).toEqual({ ...stopped, refused: false });
  });

  /** Has a file give the method another account; answers what was given. */
  async function moveToAnother({ unitName }: Unit) {
    const account = newAccount();
    const { token } = await api.ctx.gateway.saveMethod({ type: 'ach', account: account.ach }, null);
    expect(faultsOf(await importInto(api, tokenFile(`${unitName}-M`, token)))).toEqual([]);
    return account;
  }

  test('that a file replaces before it was known does not have its return stop the account that came after it', async () => {
    const [imported, other] = [await importedOn(newAccount()), await rental()];
    const { reference } = await pay(imported, { ach: { paymentMethodId: imported.methodId } });
    expect((await setAutopay(other, await moveToAnother(imported))).status).toBe(200);
    await learn();
    await settleReturn(api.ctx, reference, 'R02');
    expect(await standing(other)).toEqual(going);
  });

  test('that a file replaces once it is known is stopped by the return of its payment, and no other is', async () => {
    const account = newAccount();
    const [imported, same, other] = [await importedOn(account), await rental(), await rental()];
    expect((await setAutopay(same, account)).status).toBe(200);
    const { reference } = await pay(imported, { ach: { paymentMethodId: imported.methodId } });
    await learn();
    expect((await setAutopay(other, await moveToAnother(imported))).status).toBe(200);
    await learn();
    await settleReturn(api.ctx, reference, 'R02');
    expect(await standing(same)).toEqual(stopped);
    expect(await standing(other)).toEqual(going);
  });

  test('is asked for again where the gateway did not answer', async () => {
    const imported = await importedOn(newAccount());
    const { gateway } = api.ctx;
    onTestFinished(() => void (api.ctx.gateway = gateway));
    api.ctx.gateway = { ...gateway, describe: () => Promise.reject(new GatewayUnknown('away')) };
    await learn();
    expect(await fingerprintOf(imported)).toBeNull();
    api.ctx.gateway = gateway;
    await learn();
    expect(await fingerprintOf(imported)).toMatch(/^[0-9a-f]{64}$/);
  });

  test('is asked for anew where a file has another token, and a token that the gateway does not know delays no other', async () => {
    const imported = await importedOn(newAccount());
    await learn();
    const before = await fingerprintOf(imported);
    const take = (token: string) => importInto(api, tokenFile(`${imported.unitName}-M`, token));
    await take('sandbox_unknown');
    expect(await fingerprintOf(imported)).toBeNull();
    const other = await importedOn(newAccount());
    await learn();
    expect([await fingerprintOf(imported), await fingerprintOf(other)]).toEqual([
      null,
      expect.any(String),
    ]);
    const { ach: account } = newAccount();
    const { token } = await api.ctx.gateway.saveMethod({ type: 'ach', account }, null);
    await take(token);
    await learn();
    expect(await fingerprintOf(imported)).not.toBe(before);
  });
});

describe('an account that a return has stopped', () => {
  const call = (isPreview = false, key: string = randomUUID()) => {
    return staffCall({ key, why: 'released by the bank', isPreview });
  };
  const methodOf = async ({ id }: Unit) => {
    const { payment_method_id: methodId } = await getRow(
      api.owner,
      'autopays',
      'payment_method_id',
      { ledger_id: id },
    );
    return methodId;
  };
  /** A rental whose autopay a return has stopped, with its account. */
  const stoppedRental = async (code = 'R02') => {
    const unit = await rental();
    const account = newAccount();
    const { reference } = await pay(unit, account);
    await setAutopay(unit, account);
    await settleReturn(api.ctx, reference, code);
    return {
      unit,
      account,
      reference,
      methodId: await methodOf(unit),
      tenantId: dana.tenantIds[0]!,
    };
  };

  test('and staff allow again may be set up again by its tenant, and stays off until then', async () => {
    const { unit, account, methodId, tenantId } = await stoppedRental('R10');
    expect((await setAutopay(unit, account)).status).toBe(422);
    const key = randomUUID();
    const preview = await allowAccountFor(api.ctx, call(true), { tenantId, methodId });
    expect((await setAutopay(unit, account)).status).toBe(422);
    for (const _time of [1, 2])
      expect(await allowAccountFor(api.ctx, call(false, key), { tenantId, methodId })).toEqual(
        preview,
      );
    expect(preview).toMatchObject({ methodId, returnCode: 'R10' });
    expect(await standing(unit)).toEqual({ ...stopped, refused: false });
    expect((await setAutopay(unit, account)).status).toBe(200);
    expect(await standing(unit)).toEqual(going);
    const noted = await api.owner
      .selectFrom('audit_events')
      .select('details')
      .where('tenant_id', '=', tenantId)
      .where('kind', '=', 'staff_action')
      .where(sql`details ->> 'method'`, '=', methodId)
      .execute();
    expect(noted).toMatchObject([
      { details: { verb: 'payments.allowAccount', method: methodId, returnCode: 'R10' } },
    ]);
  });

  test('and allowed again is stopped by the next return', async () => {
    const { unit, account, methodId, tenantId } = await stoppedRental();
    await allowAccountFor(api.ctx, call(), { tenantId, methodId });
    await setAutopay(unit, account);
    const next = await rental();
    const { reference } = await pay(next, account);
    await settleReturn(api.ctx, reference, 'R03');
    expect(await standing(unit)).toEqual(stopped);
    expect(await allowAccountFor(api.ctx, call(), { tenantId, methodId })).toMatchObject({
      returnCode: 'R03',
    });
  });

  test('stays refused in the entry of another tenant until it is allowed there too', async () => {
    const { account, methodId, tenantId } = await stoppedRental('R01');
    const lee = await signIn(api, 'lee@example.com');
    const leesId = lee.tenantIds[0]!;
    const { body } = await api.call('GET', `${lee.prefix}/tenants/${leesId}/ledgers`, {
      token: lee.token,
    });
    const path = `${lee.prefix}/ledgers/${(body as Unit[])[0]!.id}/autopay-update`;
    const set = async () =>
      (await api.call('POST', path, { token: lee.token, body: account })).status;
    expect(await set()).toBe(200);
    const last = await rental();
    const { reference } = await pay(last, account);
    await settleReturn(api.ctx, reference, 'R07');
    await allowAccountFor(api.ctx, call(), { tenantId, methodId });
    expect(await set()).toBe(422);
    const leesMethod = await methodOf((body as Unit[])[0]!);
    await expect(
      allowAccountFor(api.ctx, call(), { tenantId, methodId: leesMethod }),
    ).rejects.toMatchObject({
      status: 404,
    });
    await allowAccountFor(api.ctx, call(), { tenantId: leesId, methodId: leesMethod });
    expect(await set()).toBe(200);
  });

  test('is allowed once; one that is not stopped, a card and one of another facility are refused in a sentence', async () => {
    const { unit, methodId, tenantId } = await stoppedRental();
    const { id: phoenix } = await getRow(api.owner, 'facilities', 'id', {
      location_code: 'AZPHX01',
    });
    const elsewhere = { ...call(), facilityIds: [phoenix] };
    await expect(allowAccountFor(api.ctx, elsewhere, { tenantId, methodId })).rejects.toMatchObject(
      {
        status: 404,
        message: `There is no payment method ${methodId} of this tenant.`,
      },
    );
    const both = [1, 2].map(() => allowAccountFor(api.ctx, call(), { tenantId, methodId }));
    const tries = await Promise.allSettled(both);
    expect(tries.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    await expect(allowAccountFor(api.ctx, call(), { tenantId, methodId })).rejects.toMatchObject({
      status: 409,
      message: expect.stringMatching(/ending in \d{4} is not stopped\.$/) as string,
    });
    await setAutopay(unit, { creditCard: card });
    await expect(
      allowAccountFor(api.ctx, call(), { tenantId, methodId: await methodOf(unit) }),
    ).rejects.toMatchObject({
      status: 422,
      message: expect.stringContaining('not a bank account') as string,
    });
  });
});

describe('the fingerprint', () => {
  test('is kept on the payment, the saved method and the consent, and holds no number', async () => {
    const unit = await rental();
    const account = newAccount();
    const { reference } = await pay(unit, account);
    await setAutopay(unit, account);
    const intent = await getRow(api.owner, 'payment_intents', 'fingerprint', { id: reference });
    const consent = await api.owner
      .selectFrom('mandates as m')
      .innerJoin('payment_methods as pm', 'pm.id', 'm.payment_method_id')
      .select(['m.fingerprint', 'pm.fingerprint as ofMethod'])
      .where('m.ledger_id', '=', unit.id)
      .executeTakeFirstOrThrow();
    expect(intent.fingerprint).toMatch(/^[0-9a-f]{64}$/);
    expect(consent).toEqual({ fingerprint: intent.fingerprint, ofMethod: intent.fingerprint });
    expect(intent.fingerprint).not.toContain(account.ach.accountNumber);
  });
});

describe('a dispute of a first payment with a new card', () => {
  test('stops autopay that was just set up with that card', async () => {
    const unit = await rental();
    const mine = { creditCard: { ...card, cardNumber: '4111111111111111' } };
    const { reference } = await pay(unit, mine);
    expect((await setAutopay(unit, mine)).status).toBe(200);
    const tenant = {
      tenantId: dana.tenantIds[0]!,
      firstName: 'Dana',
      email: 'dana@example.com',
      facilityName: 'Eagle',
      facilityPhone: null,
    };
    await api.ctx.db
      .transaction()
      .execute((trx) => onPaymentDisputed(api.ctx, trx, { id: reference, ...tenant }));
    expect(await standing(unit)).toEqual({ ...stopped, ended: 'disputed' });
    expect(await offMails([unit.unitName])).toHaveLength(1);
  });
});

describe('a card that is declined for good', () => {
  const stolen = { ...card, cardNumber: sandboxNumbers.stolen };
  const entries = () =>
    api.owner
      .selectFrom('payment_methods')
      .select('expires_on')
      .select((row) => row('refused_at', 'is not', null).as('refused'))
      .where('last_four', '=', sandboxNumbers.stolen.slice(-4))
      .orderBy('created_at')
      .execute();

  test('is refused in every saved entry of it, but not with another expiry', async () => {
    const unit = await rental();
    const renewed = { ...stolen, expirationYear: String(Number(stolen.expirationYear) + 1) };
    // The bank called it in only later.
    const { gateway } = api.ctx;
    onTestFinished(() => void (api.ctx.gateway = gateway));
    api.ctx.gateway = {
      ...gateway,
      async saveMethod(instrument, customer) {
        const described = await gateway.describe(instrument);
        const asGood = { type: 'creditCard' as const, card: { ...card } };
        const { token } = await gateway.saveMethod(asGood, customer);
        return { ...described, token };
      },
    };
    for (const entry of [stolen, stolen, renewed])
      expect((await setAutopay(unit, { creditCard: entry })).status).toBe(200);
    expect((await pay(unit, { creditCard: stolen })).status).toBe(402);
    expect((await entries()).map(({ refused }) => refused)).toEqual([true, true, false]);
    const refused = await setAutopay(unit, { creditCard: stolen });
    expect([refused.status, refused.body.message]).toEqual([422, REFUSED]);
    expect((await setAutopay(unit, { creditCard: renewed })).status).toBe(200);
  });
});
