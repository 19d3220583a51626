import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createHttpEsign } from '#adapters/esign/http-esign.ts';
import { openTestApp, signIn, type SignedIn, type TestApp } from '#test/app.ts';
import { readMails } from '#test/mails.ts';
import { openReceiver, type Receiver } from '#test/receiver.ts';
import { patience } from '#test/patience.ts';

let receiver: Receiver;
let api: TestApp;
let dana: SignedIn;
let ledgerId: string;
beforeAll(async () => {
  receiver = await openReceiver('a-secret');
  const esign = createHttpEsign({ url: receiver.url, secret: 'a-secret', isPrivateRefused: false });
  api = await openTestApp('demo_template', { esign });
  dana = await signIn(api, 'dana@example.com');
  const path = `${dana.prefix}/tenants/${dana.tenantIds[0]}/ledgers`;
  const ledgers = await api.call('GET', path, dana);
  ledgerId = (ledgers.body as { id: string }[])[0]!.id;
});
afterAll(async () => {
  await api.close();
  await receiver.close();
});

const listFiles = () => api.call('GET', `${dana.prefix}/tenants/${dana.tenantIds[0]}/files`, dana);
const resend = (key: string) =>
  api.call('POST', `${dana.prefix}/ledgers/${ledgerId}/resend-esign-documents`, {
    token: dana.token,
    body: {},
    headers: { 'idempotency-key': key },
  });
const lastMail = async () => (await readMails(api)).at(-1)!.text;

test('the documents are the signing service’s, of the tenant’s own rentals only', async () => {
  receiver.answer(() => ({
    body: {
      envelopes: [
        { id: 'e1', ledger: ledgerId, form: 'Rental Agreement', status: 'sent' },
        {
          id: 'e2',
          ledger: '00000000-0000-4000-8000-000000000000',
          form: 'Of another tenant',
          status: 'sent',
        },
      ],
    },
  }));
  expect((await listFiles()).body).toEqual([
    {
      formId: expect.any(String),
      ledgerId,
      formName: 'Rental Agreement',
      envelopeStatus: 'Sent',
      envelopeStatusId: 1,
    },
  ]);
});

test('the service is asked to resend once, whatever is repeated, and staff get their message', async () => {
  receiver.answer((message) =>
    message.type === 'envelopes.list'
      ? {
          body: {
            envelopes: [{ id: 'e1', ledger: ledgerId, form: 'Rental Agreement', status: 'sent' }],
          },
        }
      : { body: { forms: ['Rental Agreement'] } },
  );
  const [first, again] = [await resend('a key'), await resend('a key')];
  expect(again.body).toEqual(first.body);
  expect(await lastMail()).toMatch(/Waiting for a signature:?\s+Rental Agreement/);
  await api.queue.work(api.ctx);
  const wishes = () =>
    receiver.received.filter(({ message }) => message.type === 'envelopes.resend');
  await vi.waitFor(() => expect(wishes().length).toBeGreaterThan(0), {
    ...patience,
    interval: 100,
  });
  expect(wishes().map(({ message, isSigned }) => [message, isSigned])).toEqual([
    [{ type: 'envelopes.resend', id: first.body.reference, ledger: ledgerId }, true],
  ]);
});

test('an unavailable service fails the list with 503, and no request', async () => {
  receiver.answer(() => ({ status: 500 }));
  const list = await listFiles();
  expect([list.status, list.body]).toEqual([
    503,
    { message: 'The e-sign documents cannot be shown right now. Please try again in a moment.' },
  ]);
  expect((await resend('another key')).status).toBe(200);
  expect(await lastMail()).toContain('not known: the signing service does not answer');
});
