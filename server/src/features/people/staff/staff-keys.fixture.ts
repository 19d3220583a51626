import type { Reply } from '@gatehouse/contract/endpoint';
import type { getSecondSteps } from '@gatehouse/contract/office/passkeys';
import { generate } from 'otplib';
import {
  newAuthenticator,
  type Authenticator,
  type Creation,
  type Question,
} from '#features/people/passkeys/authenticator.fixture.ts';
import { DEMO_PASSWORD } from '#seeds/demo.ts';
import type { Answer, TestApp } from '#test/app.ts';
import { callOffice } from '#test/office.ts';

export const ORIGIN = 'http://localhost:3000';

/** What a member proves with the password: a code, or a passkey's answer. */
type Proof = { password?: string; code?: string; passkey?: unknown };

/** The calls by which a member changes the own second step; `as` is the token of a session. */
export function staffKeys(api: TestApp) {
  const steps = async (as: string) =>
    (await callOffice(api, 'GET', '/office/me/second-steps', { as })).body as Reply<
      typeof getSecondSteps
    >;
  const post = (path: string, as: string, body: object, at: TestApp): Promise<Answer> =>
    callOffice(at, 'POST', `/office/me/${path}`, { as, body });
  const proven = (proof: Proof) => ({ password: DEMO_PASSWORD, ...proof });
  const keys = {
    steps,
    askOptions: (as: string, proof: Proof = {}, at = api) =>
      post('passkeys/options', as, proven(proof), at),
    options: async (as: string, proof: Proof = {}) =>
      (await keys.askOptions(as, proof)).body as Creation,
    addMade: (as: string, credential: unknown, name = 'A key', at = api) =>
      post('passkeys', as, { name, credential }, at),
    remove: (as: string, id: string, proof: Proof = {}, at = api) =>
      post(`passkeys/${id}/removal`, as, proven(proof), at),
    beginApp: (as: string, proof: Proof = {}) => post('second-step', as, proven(proof), api),
    confirmApp: (as: string, code: string) => post('second-step/confirm', as, { code }, api),
    /** The code that an app shows now. */
    codeOf: (secret: string) =>
      generate({ secret, epoch: Math.floor(api.ctx.clock.now().getTime() / 1000) }),
    /** Sets up an authenticator app; returns its secret. The code of this minute is used up. */
    setUpApp: async (as: string): Promise<string> => {
      const { secret } = (await keys.beginApp(as)).body as { secret: string };
      const { status } = await keys.confirmApp(as, await keys.codeOf(secret));
      if (status !== 200) throw new Error(`the app was refused: ${status}`);
      return secret;
    },
    /** The second step as a passkey proves it. */
    proofBy: async (as: string, key: Authenticator): Promise<Proof> => ({
      passkey: key.get((await steps(as)).question as Question),
    }),
    /** Adds a passkey to the account of a session. */
    add: async (as: string, name = 'A key', proof: Proof = {}) => {
      const key = newAuthenticator(ORIGIN);
      const made = key.create(await keys.options(as, proof));
      const { status } = await keys.addMade(as, made, name);
      if (status !== 200) throw new Error(`the passkey was refused: ${status}`);
      const { passkeys } = await steps(as);
      return { key, id: passkeys.find((one) => one.name === name.trim())!.id };
    },
  };
  return keys;
}
