import { calendarDateIn, formatDate } from '@gatehouse/contract/dates';
import type { Ledger } from '@gatehouse/contract/ledgers';
import { formatMoney } from '@gatehouse/contract/money';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { notifyOfPayments } from '#features/money/payments/notify.ts';
import { useTestApp, signIn, type SignedIn } from '#test/app.ts';
import { mailsTo } from '#test/mails.ts';
import { card } from '#test/card.ts';
import { testClock } from '#test/test-day.ts';
import { changeRows } from '#test/rows.ts';

const EAGLE_MOUNTAIN = 'eagle-mountain@anchor-axle.example';
const ACCOUNT = '000123456789';
const ach = {
  accountType: 'Consumer Checking',
  accountNumber: ACCOUNT,
  routingNumber: '110000000',
};
/** The fields that the spec's client sends besides, all of them wrong. */
const webhookData = {
  formType: 'maintenance_request_form',
  ledgerId: 'x',
  unitName: 'Z999',
  date: '2001-01-01',
  firstName: 'Mallory',
  lastName: 'Evil',
  emailAddress: 'mallory@example.com',
  amount: 0.01,
};

const api = useTestApp('demo_template');
let dana: SignedIn;
let ledgers: Ledger[];
beforeAll(async () => {
  dana = await signIn(api, 'dana@example.com');
});
beforeEach(async () => {
  await api.owner.deleteFrom('requests').execute();
  await api.owner.deleteFrom('mails').execute();
  const path = `${dana.prefix}/tenants/${dana.tenantIds[0]}/ledgers`;
  ledgers = (await api.call('GET', path, dana)).body as Ledger[];
});

const requests = () => api.owner.selectFrom('requests').selectAll().orderBy('reference').execute();
const notices = () => mailsTo(api, EAGLE_MOUNTAIN);

/** Pays and queues the mails, as the sweep does later. */
async function pay(method: object, lines: [Ledger, number][]) {
  const payments = lines.map(([{ id, unitId }, amount]) => ({ ledgerId: id, unitId, amount }));
  const body = { payments, ...method, switchingFromCcToAch: true, testMode: true, webhookData };
  const path = `${dana.prefix}/tenants/${dana.tenantIds[0]}/payments`;
  const answer = await api.call('POST', path, { token: dana.token, body });
  await notifyOfPayments(api.ctx);
  return answer;
}

function setAutopay(ledger: Ledger, method: object) {
  const body = { ...method, switchingFromCcToAch: false, webhookData };
  return api.call('POST', `${dana.prefix}/ledgers/${ledger.id}/autopay-update`, {
    token: dana.token,
    body,
  });
}

describe('the ACH payment notice', () => {
  test('goes to the facility for each unit of a bank payment, with the facts of the books', async () => {
    const [a101, , c014] = ledgers;
    const { status, body } = await pay({ ach }, [
      [a101!, 10],
      [c014!, 20.5],
    ]);
    expect([status, body.status]).toEqual([200, 'pending']);
    const filed = await requests();
    expect(filed.map(({ kind, ledger_id, user_id }) => ({ kind, ledger_id, user_id }))).toEqual([
      { kind: 'notifyAchPayment', ledger_id: a101!.id, user_id: null },
      { kind: 'notifyAchPayment', ledger_id: c014!.id, user_id: null },
    ]);
    const today = formatDate(calendarDateIn('America/Chicago', testClock.now()));
    const mails = await notices();
    expect(mails.map(({ subject }) => subject)).toEqual([
      `${filed[0]!.reference}: ACH payment, unit A101`,
      `${filed[1]!.reference}: ACH payment, unit C014`,
    ]);
    for (const [index, amount] of [10, 20.5].entries()) {
      const { receiptNumber } = body.payments[index];
      expect(mails[index]!.text).toContain(
        `Date: ${today}\nAmount: ${formatMoney(amount)}\nPaid with: ACH ending in 6789\nReceipt number: ${receiptNumber}`,
      );
      expect(mails[index]!.text).toContain('Tenant: Dana Reyes');
      expect(mails[index]!.text).not.toMatch(/Z999|Mallory|mallory|2001/);
    }
  });

  test('is not sent of a card payment, whatever webhookData says', async () => {
    expect((await pay({ creditCard: card }, [[ledgers[0]!, 1]])).status).toBe(200);
    expect([await requests(), await notices()]).toEqual([[], []]);
  });

  test('is sent once of a payment that is asked for again', async () => {
    const line: [Ledger, number] = [ledgers[2]!, 3];
    const first = await pay({ ach }, [line]);
    expect((await pay({ ach }, [line])).body).toEqual(first.body);
    expect(await requests()).toHaveLength(1);
  });

  test('without an address at the facility is stored, and the payment is posted all the same', async () => {
    const facility = (email: string | null) =>
      changeRows(api.owner, 'facilities', { email }, { location_code: 'TXDFW03' });
    await facility('no address');
    expect((await pay({ ach }, [[ledgers[2]!, 4]])).status).toBe(200);
    await facility(EAGLE_MOUNTAIN);
    expect([(await requests()).length, await notices()]).toEqual([1, []]);
  });
});

describe('the card-to-ACH notice', () => {
  // spec 7.32
  test('is sent when autopay changes from a card to a bank account, whatever the body says of it', async () => {
    const b207 = ledgers[1]!;
    expect((await setAutopay(b207, { ach })).status).toBe(200);
    expect(await requests()).toMatchObject([
      { kind: 'autopayCreditCardToAch', ledger_id: b207.id },
    ]);
    const [mail, ...others] = await notices();
    expect(others).toEqual([]);
    expect(mail!.subject).toMatch(/^R-\d{6}: Autopay changed from card to ACH, unit B207$/);
    expect(mail!.text).toContain(
      'Autopay before: Visa ending in 4242\nAutopay now: ACH ending in 6789',
    );
    expect(mail!.text).not.toMatch(/Z999|Mallory|mallory/);
  });

  test('is not sent when a first method is set, when a bank account follows one, or when a card does', async () => {
    const c014 = ledgers[2]!;
    for (const method of [{ ach }, { ach }, { creditCard: card }, { creditCard: card }])
      expect((await setAutopay(c014, method)).status).toBe(200);
    expect([await requests(), await notices()]).toEqual([[], []]);
  });

  test('is not sent when the change is refused', async () => {
    expect((await setAutopay(ledgers[2]!, { ach: { ...ach, routingNumber: '1' } })).status).toBe(
      422,
    );
    expect(await requests()).toEqual([]);
  });

  test('is sent once of several changes at once', async () => {
    const c014 = ledgers[2]!;
    await Promise.all(Array.from({ length: 5 }, () => setAutopay(c014, { ach })));
    expect(await requests()).toHaveLength(1);
  });
});

test('no notice holds more of a number than its last four digits', async () => {
  await pay({ ach }, [[ledgers[2]!, 5]]);
  await setAutopay(ledgers[0]!, { creditCard: card });
  await setAutopay(ledgers[0]!, { ach });
  const said = JSON.stringify([await requests(), await notices()]);
  expect(said).toContain('ending in 6789');
  for (const secret of [ACCOUNT, ACCOUNT.slice(-5), card.cardNumber, '110000000'])
    expect(said).not.toContain(secret);
});
