import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { readTwilioEvent, twilioSignature } from './twilio-events.ts';

const TOKEN = '12345';
const URL_OF_HOOK = 'https://portal.example.com/api/webhooks/twilio';

type Call = { url?: string; fields: Record<string, string>; token?: string };

/** The call as Twilio signs it, by its documentation. */
function read({ url = URL_OF_HOOK, fields, token = TOKEN }: Call) {
  const said = Object.keys(fields)
    .sort()
    .map((name) => name + fields[name]!)
    .join('');
  return readTwilioEvent(TOKEN, {
    url,
    form: new URLSearchParams(fields).toString(),
    signature: twilioSignature(token, url + said),
  });
}

const stop = { MessageSid: 'SM1', From: '+18175550142', To: '+18005551212', Body: 'Stop' };

describe('the signature of Twilio', () => {
  // spec 10.69
  test('is the one that its documentation shows, with a query in the URL', () => {
    const call = {
      url: 'https://mycompany.com/myapp.php?foo=1&bar=2',
      form: 'CallSid=CA1234567890ABCDE&From=%2B14158675309&To=%2B18005551212&Caller=%2B14158675309&Digits=1234',
    };
    const signed = { ...call, signature: 'RSOYDt4T1cUTdK1PDd93/VVr8B8=' };
    expect(readTwilioEvent(TOKEN, signed)).toBe('unknown');
    expect(readTwilioEvent('12346', signed)).toBeNull();
  });

  test('is of this URL, these fields and this account only', () => {
    const form = new URLSearchParams(stop).toString();
    const said = 'BodyStopFrom+18175550142MessageSidSM1To+18005551212';
    const signature = twilioSignature(TOKEN, URL_OF_HOOK + said);
    const call = { url: URL_OF_HOOK, form, signature };
    expect(readTwilioEvent(TOKEN, call)).toMatchObject({ kind: 'reply' });
    for (const other of [
      { signature: undefined },
      { signature: '' },
      { signature: `${signature}=` },
      { url: `${URL_OF_HOOK}?text=1` },
      { form: form.replace('Stop', 'Start') },
      { form: `${form}&OptOutType=START` },
    ])
      expect(readTwilioEvent(TOKEN, { ...call, ...other })).toBeNull();
    expect(readTwilioEvent('another', call)).toBeNull();
  });

  test('may be of the URL with its usual port', () => {
    const said = 'BodyStopFrom+18175550142MessageSidSM1To+18005551212';
    const signature = twilioSignature(
      TOKEN,
      `https://portal.example.com:443/api/webhooks/twilio${said}`,
    );
    const form = new URLSearchParams(stop).toString();
    expect(readTwilioEvent(TOKEN, { url: URL_OF_HOOK, form, signature })).not.toBeNull();
  });
});

describe('a call of Twilio', () => {
  test('is a reply, with the word for which Twilio took it where it says so', () => {
    const said = { kind: 'reply', id: 'SM1', from: '+18175550142', body: 'Stop' };
    expect(read({ fields: stop })).toEqual({ ...said, word: null });
    expect(read({ fields: { ...stop, OptOutType: 'STOP' } })).toEqual({ ...said, word: 'stop' });
    expect(read({ fields: { ...stop, OptOutType: 'OTHER' } })).toEqual({ ...said, word: null });
  });

  test.each([
    ['delivered', {}, { state: 'delivered', code: null, isStopped: false }],
    ['sent', {}, { state: 'under_way', code: null, isStopped: false }],
    [
      'undelivered',
      { ErrorCode: '30006' },
      { state: 'undelivered', code: '30006', isStopped: false },
    ],
    ['failed', {}, { state: 'undelivered', code: 'failed', isStopped: false }],
    ['failed', { ErrorCode: '21610' }, { state: 'undelivered', code: '21610', isStopped: true }],
  ])('is what became of a text: %s %j', (MessageStatus, more, wanted) => {
    const textId = randomUUID();
    const fields = { MessageSid: 'SM2', MessageStatus, To: '+18175550142', ...more };
    expect(read({ url: `${URL_OF_HOOK}?text=${textId}`, fields })).toEqual({
      kind: 'status',
      textId,
      providerId: 'SM2',
      ...wanted,
    });
  });

  test('may be of something else', () => {
    expect(read({ fields: { CallSid: 'CA1' } })).toBe('unknown');
    expect(read({ fields: { MessageSid: 'SM2', MessageStatus: 'sent' } })).toBe('unknown');
  });
});
