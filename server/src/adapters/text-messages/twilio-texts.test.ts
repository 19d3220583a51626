import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  openTwilioStub,
  STUB_ACCOUNT_SID,
  STUB_AUTH_TOKEN,
  type TwilioStub,
} from '#test/twilio.ts';
import { TextNotSent, TextUnknown } from './text-messages.ts';
import { describeTexts } from './text-messages.contract.ts';
import { createTwilioTexts } from './twilio-texts.ts';

const FROM = '+18005551212';
const CALLBACK = 'https://portal.example.com/api/webhooks/twilio';

const textsAt = (apiUrl: string, { from = FROM, authToken = STUB_AUTH_TOKEN } = {}) =>
  createTwilioTexts({ accountSid: STUB_ACCOUNT_SID, authToken, from, apiUrl }, CALLBACK);

describeTexts('Twilio', async () => {
  const stub = await openTwilioStub();
  return { texts: textsAt(stub.url), numbers: stub.numbers, close: () => stub.close() };
});

describe('a text by Twilio', () => {
  let stub: TwilioStub;
  beforeEach(async () => {
    stub = await openTwilioStub();
  });
  afterEach(() => stub.close());

  const message = { id: randomUUID(), to: '+18175550142', body: 'Due: $150.00 & more + "é"' };

  test('is one form to the Messages resource, with the sender, and where Twilio reports', async () => {
    const { providerId } = await textsAt(stub.url).send(message);
    expect(providerId).toMatch(/^SM[0-9a-f]{32}$/);
    expect(stub.received).toEqual([
      {
        To: message.to,
        From: FROM,
        Body: message.body,
        StatusCallback: `${CALLBACK}?text=${message.id}`,
      },
    ]);
  });

  test('goes through a messaging service where the sender is one', async () => {
    const from = `MG${'0'.repeat(32)}`;
    await textsAt(stub.url, { from }).send(message);
    expect(stub.received).toMatchObject([{ MessagingServiceSid: from }]);
    expect(stub.received[0]).not.toHaveProperty('From');
  });

  test.each([
    [500, undefined],
    [503, '{"code":20503}'],
    [302, undefined],
    [201, 'no JSON'],
    [201, '{"status":"queued"}'],
  ])('is unknown after an answer of %i %s, and was sent to Twilio once', async (status, body) => {
    stub.answer(() => ({ status, body }));
    await expect(textsAt(stub.url).send(message)).rejects.toBeInstanceOf(TextUnknown);
    expect(stub.received).toHaveLength(1);
  });

  test('is not sent where Twilio does not know the account, or cannot be reached', async () => {
    const stranger = textsAt(stub.url, { authToken: 'f'.repeat(32) });
    await expect(stranger.send(message)).rejects.toMatchObject({
      message: 'Twilio did not take a text message (401, 20003)',
      isOurAccount: true,
    });
    const { url } = stub;
    await stub.close();
    await expect(textsAt(url).send(message)).rejects.toMatchObject({
      name: 'TextNotSent',
      isOurAccount: false,
    });
    stub = await openTwilioStub();
  });

  test('is not sent once Twilio has failed several times in a row', async () => {
    stub.answer(() => ({ status: 500 }));
    const texts = textsAt(stub.url);
    for (let round = 0; round < 5; round += 1)
      await expect(texts.send(message)).rejects.toBeInstanceOf(TextUnknown);
    await expect(texts.send(message)).rejects.toBeInstanceOf(TextNotSent);
    expect(stub.received).toHaveLength(5);
  });
});
