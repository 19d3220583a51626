import { z } from 'zod/mini';
import { creationOptions, newCredential, passkey, passkeyName } from '../passkeys.ts';
import { officeEndpoint } from './office-endpoint.ts';
import { me, ownProof, passkeyQuestion } from './session.ts';

const passkeyParams = z.object({ passkeyId: z.string() });
const path = '/office/me/passkeys/:passkeyId';

/** GET /office/me/second-steps: what the second step is made by; passkeys with the newest first. */
export const getSecondSteps = officeEndpoint({
  name: 'getSecondSteps',
  method: 'GET',
  path: '/office/me/second-steps',
  access: 'staff',
  role: 'clerk',
  isForEnrolling: true,
  reply: z.object({
    /** An authenticator app. */
    hasApp: z.boolean(),
    passkeys: z.array(passkey),
    /** What a browser asks those passkeys by; null without them, and where none can be used. */
    question: z.nullable(passkeyQuestion),
  }),
});

/**
 * POST /office/me/passkeys/options: what a browser makes a passkey by, for five minutes
 * (PublicKeyCredentialCreationOptionsJSON). 403 where the caller signed in more than ten minutes
 * ago; 422 without the password and the present second step, where the office's address has no
 * name, or there are ten.
 */
export const staffPasskeyOptions = officeEndpoint({
  name: 'staffPasskeyOptions',
  method: 'POST',
  path: '/office/me/passkeys/options',
  access: 'staff',
  role: 'clerk',
  isForEnrolling: true,
  body: ownProof,
  reply: creationOptions,
});

/**
 * POST /office/me/passkeys: adds the passkey that the browser made as a second step, ends the other
 * sessions, and mails it. 422 for one that does not answer options of this account, or did before,
 * and beyond ten.
 */
export const addStaffPasskey = officeEndpoint({
  name: 'addStaffPasskey',
  method: 'POST',
  path: '/office/me/passkeys',
  access: 'staff',
  role: 'clerk',
  isForEnrolling: true,
  body: z.object({ name: passkeyName, credential: newCredential }),
  reply: me,
});

/** PATCH /office/me/passkeys/{passkeyId}: 404 for one of another account. */
export const renameStaffPasskey = officeEndpoint({
  name: 'renameStaffPasskey',
  method: 'PATCH',
  path,
  access: 'staff',
  role: 'clerk',
  params: passkeyParams,
  body: z.object({ name: passkeyName }),
  reply: passkey,
});

/**
 * POST /office/me/passkeys/{passkeyId}/removal: it is no second step any more, and other sessions
 * end, which is mailed. 422 without the password and the present second step; 404 for one of
 * another account, or removed before; 409 for the last second step where one is demanded.
 */
export const removeStaffPasskey = officeEndpoint({
  name: 'removeStaffPasskey',
  method: 'POST',
  path: `${path}/removal`,
  access: 'staff',
  role: 'clerk',
  params: passkeyParams,
  body: ownProof,
  reply: me,
});
