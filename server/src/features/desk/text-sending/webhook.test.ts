import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { twilioSignature } from '#adapters/text-messages/twilio-events.ts';
import { readConfig } from '#config/config.ts';
import { openTestApp, type TestApp } from '#test/app.ts';
import { TEST_DATA_KEYS } from '#test/data-keys.ts';
import { testClock } from '#test/test-day.ts';
import { makeTextConsent } from '#test/texts.ts';
import { STUB_ACCOUNT_SID, STUB_AUTH_TOKEN } from '#test/twilio.ts';
import { addRows, findRows, getRow } from '#test/rows.ts';

const PLACE = '/api/webhooks/twilio';
const FROM = '+18175550142';

let api: TestApp;
let tenantId: string;
beforeAll(async () => {
  const config = readConfig({
    DATA_KEYS: TEST_DATA_KEYS,
    SECRET_KEY: '07'.repeat(32),
    TEXTS: 'twilio',
    TWILIO_ACCOUNT_SID: STUB_ACCOUNT_SID,
    TWILIO_AUTH_TOKEN: STUB_AUTH_TOKEN,
    TWILIO_FROM: '+18005551212',
  });
  api = await openTestApp('demo_template', { config });
  ({ id: tenantId } = await getRow(api.owner, 'tenants', 'id', { email: 'dana@example.com' }));
});
afterAll(() => api.close());
beforeEach(async () => {
  for (const table of [
    'text_consent_ends',
    'text_consents',
    'text_replies',
    'texts',
    'limit_counts',
  ] as const)
    await api.owner.deleteFrom(table).execute();
  await makeTextConsent(api.owner, tenantId);
});

type Call = { query?: string; token?: string; signature?: string };

/** A call as Twilio makes it, signed by its documentation. */
function call(fields: Record<string, string>, { query = '', token, signature }: Call = {}) {
  const said = Object.keys(fields)
    .sort()
    .map((name) => name + fields[name]!)
    .join('');
  const url = `${api.ctx.config.publicUrl}${PLACE}${query}`;
  return api.app.inject({
    method: 'POST',
    url: `${PLACE}${query}`,
    headers: {
      'content-type': 'application/x-www-form-urlencoded; charset=UTF-8',
      'x-twilio-signature': signature ?? twilioSignature(token ?? STUB_AUTH_TOKEN, url + said),
    },
    payload: new URLSearchParams(fields).toString(),
  });
}
const stop = { MessageSid: 'SM1', From: FROM, To: '+18005551212', Body: 'STOP' };
const ends = () => findRows(api.owner, 'text_consent_ends', 'reason');
const replies = () => findRows(api.owner, 'text_replies', 'word');

/** A text that the provider took. */
async function sentText(): Promise<string> {
  const id = randomUUID();
  const at = testClock.now();
  await addRows(api.owner, 'texts', {
    id,
    tenant_id: tenantId,
    to_phone: FROM,
    kind: 'welcome',
    state: 'sent',
    body: api.ctx.vault.seal('textBody', id, 'Hello'),
    body_until: at,
    created_at: at,
    tried_at: at,
  });
  return id;
}
const stateOf = async (id: string) => (await getRow(api.owner, 'texts', 'state', { id })).state;

describe('the webhook of Twilio', () => {
  test('takes STOP, and answers with TwiML that says nothing, because Twilio does', async () => {
    const answer = await call(stop);
    expect([answer.statusCode, answer.headers['content-type'], answer.body]).toEqual([
      200,
      'text/xml; charset=utf-8',
      '<?xml version="1.0" encoding="UTF-8"?><Response></Response>',
    ]);
    expect([await ends(), await replies()]).toEqual([[{ reason: 'stopped' }], [{ word: 'stop' }]]);
  });

  test('answers HELP, and a stop in other words, with a message', async () => {
    const help = await call({ ...stop, MessageSid: 'SM2', Body: 'help' });
    expect(help.body).toMatch(
      /<Response><Message>Anchor &amp; Axle RV &amp; Boat Storage: reminders of rent by text\..*Reply STOP to end<\/Message><\/Response>$/,
    );
    const stopped = await call({ ...stop, MessageSid: 'SM3', Body: 'leave me alone' });
    expect(stopped.body).toMatch(/<Message>.*you get no more reminders by text\..*<\/Message>/);
    expect(await ends()).toEqual([{ reason: 'stopped' }]);
    const own = await call({ ...stop, MessageSid: 'SM4', Body: 'AYUDA', OptOutType: 'HELP' });
    expect(own.body).toMatch(/<Response><\/Response>$/);
  });

  // spec 10.69
  test('does once what comes several times', async () => {
    await call(stop);
    await call({ ...stop, MessageSid: 'SM2', Body: 'START' });
    expect((await call(stop)).statusCode).toBe(200);
    expect(await replies()).toHaveLength(2);
    const consents = await findRows(api.owner, 'text_consents', 'id');
    expect([consents.length, await ends()]).toEqual([2, [{ reason: 'stopped' }]]);
  });

  test('answers a number three times an hour at most, so that another machine is not talked to for ever', async () => {
    const answerTo = async (Body: string, From = FROM) =>
      (await call({ ...stop, MessageSid: randomUUID(), Body, From })).body;
    const machine = 'Our office is closed. Please stop texting this number.';
    const answers = [];
    for (let count = 0; count < 5; count += 1) answers.push(await answerTo(machine));
    expect(answers.map((one) => one.includes('<Message>'))).toEqual([
      ...[true, true, true],
      ...[false, false],
    ]);
    expect(await ends()).toEqual([{ reason: 'stopped' }]);
    expect(await answerTo('help', '+18175550143')).toContain('<Message>');
  });

  // spec 10.69
  test('refuses a call that is forged, and nothing changes', async () => {
    const textId = await sentText();
    const query = `?text=${textId}`;
    const delivered = { MessageSid: 'SM9', MessageStatus: 'delivered' };
    const forged = [
      await call(stop, { token: 'c'.repeat(32) }),
      await call(stop, { signature: '' }),
      await call(stop, { signature: twilioSignature(STUB_AUTH_TOKEN, 'https://evil.example') }),
      await call(delivered, { query, token: 'c'.repeat(32) }),
      await api.app.inject({ method: 'POST', url: PLACE, payload: { Body: 'STOP' } }),
      await api.app.inject({ method: 'POST', url: PLACE }),
    ];
    expect(forged.map(({ statusCode }) => statusCode)).toEqual(forged.map(() => 403));
    expect([await ends(), await replies(), await stateOf(textId)]).toEqual([[], [], 'sent']);
  });

  test('takes what became of a text, by the text that its address names', async () => {
    const textId = await sentText();
    const query = `?text=${textId}`;
    const report = (MessageStatus: string, more = {}) =>
      call({ MessageSid: 'SM9', MessageStatus, To: FROM, ...more }, { query });
    await report('sent');
    expect(await stateOf(textId)).toBe('sent');
    await report('delivered');
    await report('undelivered', { ErrorCode: '30006' });
    expect(await stateOf(textId)).toBe('delivered');
  });

  test('takes a refusal because of STOP for one', async () => {
    const textId = await sentText();
    const fields = { MessageSid: 'SM9', MessageStatus: 'failed', ErrorCode: '21610' };
    await call(fields, { query: `?text=${textId}` });
    expect([await stateOf(textId), await ends()]).toEqual(['refused', [{ reason: 'stopped' }]]);
  });

  test('is not there without Twilio', async () => {
    const other = await openTestApp('empty_template');
    const { statusCode } = await other.app.inject({ method: 'POST', url: PLACE });
    await other.close();
    expect(statusCode).toBe(404);
  });
});
