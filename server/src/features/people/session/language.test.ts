import { randomUUID } from 'node:crypto';
import type { Language } from '@gatehouse/language/language';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  newAuthenticator,
  type Creation,
  type Question,
} from '#features/people/passkeys/authenticator.fixture.ts';
import { makeTenant } from '#seeds/builders.ts';
import { DEMO_PASSWORD } from '#seeds/demo.ts';
import { useTestApp, signIn } from '#test/app.ts';
import { makePerson } from '#test/people.ts';
import { mailsTo } from '#test/mails.ts';
import { tripsOf } from '#test/round-trips.ts';
import { getRow } from '#test/rows.ts';

const corporationCode = 'ANCHOR';
const locationCode = 'TXDFW03';

const api = useTestApp('demo_template');
let facility: { id: string };
let email: string;
beforeAll(async () => {
  facility = await getRow(api.owner, 'facilities', 'id', { location_code: locationCode });
});
beforeEach(() => {
  email = `${randomUUID()}@example.com`;
});

/** A call of a page in a language. */
const post = (path: string, page: Language, body: object, token?: string) =>
  api.call('POST', `/users/${path}`, {
    body,
    ...(token !== undefined && { token }),
    headers: page === 'en' ? {} : { 'gatehouse-language': page },
  });
const login = async (page: Language): Promise<unknown> =>
  (
    await post('login', page, {
      username: email,
      password: DEMO_PASSWORD,
      locationCode,
      corporationCode,
    })
  ).body;
const languageOf = async (of = email) =>
  (await getRow(api.owner, 'users', 'language', { email: of })).language;

async function makeAccount(): Promise<string> {
  return makePerson(api, facility.id, email);
}

describe('the language of an account', () => {
  // spec 10.71
  test('is that of the first sign-in, which costs no statement later', async () => {
    await makeAccount();
    expect(await languageOf()).toBeNull();
    const first = await tripsOf(async () => {
      expect(await login('es')).toMatchObject({ isLanguageChosen: false });
    });
    expect(await languageOf()).toBe('es');
    const mails = await mailsTo(api, email);
    expect(mails.map(({ language }) => language)).toEqual(mails.map(() => 'es'));
    await login('es');
    const later = await tripsOf(async () => {
      expect(await login('en')).toMatchObject({ language: 'es' });
    });
    expect(first - later).toBeGreaterThanOrEqual(1);
    expect(await languageOf()).toBe('es');
  });

  // spec 10.71
  test('is that of the first sign-in by a passkey', async () => {
    await makeAccount();
    const { token } = await signIn(api, email);
    const phone = newAuthenticator(api.ctx.config.publicUrl);
    const made = await post('passkeys/options', 'en', {}, token);
    const credential = phone.create(made.body as Creation);
    await post('passkeys', 'en', { name: 'A phone', credential }, token);
    const enter = async (page: Language): Promise<unknown> => {
      const { body } = await post('passkeys/sign-in-options', page, {});
      const answer = phone.get(body as Question);
      return (await post('passkeys/sign-in', page, { credential: answer })).body;
    };
    expect(await enter('es')).toMatchObject({ language: 'es' });
    expect(await enter('en')).toMatchObject({ language: 'es' });
    expect(await languageOf()).toBe('es');
  });

  // spec 10.71
  test('is that of the page where it was set up, and a new password keeps it', async () => {
    await makeTenant(api.owner, { facility_id: facility.id, email });
    const setUp = async (page: Language, password: string) => {
      const { body } = await post('register', page, { email, locationCode, corporationCode });
      const text = (await mailsTo(api, email)).at(-1)!.text;
      const [code] = /^\d{8}$/m.exec(text)!;
      await post('verify', page, { token: body.token, code, corporationCode });
      const set = { token: body.token, password, corporationCode };
      expect((await post('password-update', page, set)).status).toBe(200);
    };
    await setUp('es', 'harbor gate 81');
    expect(await languageOf()).toBe('es');
    await setUp('en', 'harbor gate 82');
    expect(await languageOf()).toBe('es');
    const mails = await mailsTo(api, email);
    expect(mails.map(({ language }) => language)).toEqual(['es', 'es', 'es', 'es']);
  });

  // spec 7.90
  test('is what its tenant chooses, and no other account changes', async () => {
    const tenantId = await makeAccount();
    const { token, prefix } = await signIn(api, email);
    const others = await api.owner
      .selectFrom('users')
      .select(['id', 'language'])
      .where('email', '<>', email)
      .orderBy('id')
      .execute();
    const chosen = await post('language', 'en', { language: 'es' }, token);
    expect([chosen.status, chosen.body]).toEqual([200, { language: 'es' }]);
    expect(await login('en')).toMatchObject({ language: 'es', isLanguageChosen: true });
    const shown = await api.call('GET', `${prefix}/tenants/${tenantId}/reminders`, { token });
    expect(shown.body).toMatchObject({ language: 'es' });
    const after = await api.owner
      .selectFrom('users')
      .select(['id', 'language'])
      .where('email', '<>', email)
      .orderBy('id')
      .execute();
    expect(after).toEqual(others);
    const stranger = await post('language', 'en', { language: 'en' });
    expect([stranger.status, await languageOf()]).toEqual([401, 'es']);
  });
});
