import { z } from 'zod/mini';
import { done, id } from '../ids.ts';
import { passkeyAnswer } from '../passkeys.ts';
import { personName } from '../person-name.ts';
import { visible } from '../text.ts';
import { plainCode } from '../typed.ts';
import { officeEndpoint, officeRole } from './office-endpoint.ts';

/** A facility that a member of staff works for. `today` is its calendar's. */
export const staffFacility = z.object({
  id,
  locationCode: z.string(),
  name: z.string(),
  timeZone: z.string(),
  today: z.iso.date(),
});

/** The signed-in member of staff. */
export const me = z.object({
  id,
  name: z.string(),
  email: z.string(),
  role: officeRole,
  /** Whether the account is for all facilities of the operator, later ones too. */
  isForAllFacilities: z.boolean(),
  facilities: z.array(staffFacility),
  hasSecondStep: z.boolean(),
  /** The second step is demanded and not set up: until then only its two calls are answered. */
  mustEnrol: z.boolean(),
  /** When the session ends at the latest, and after how many minutes without a call. */
  endsAt: z.iso.datetime(),
  idleMinutes: z.int(),
});
export type Me = z.infer<typeof me>;

const required = (label: string) =>
  z
    .string(`${label} is required.`)
    .check(z.minLength(1, `${label} is required.`), z.maxLength(254, `${label} is too long.`));

const code = z
  .string('The code must be 6 digits.')
  .check(z.overwrite(plainCode), z.regex(/^\d{6}$/, 'The code must be 6 digits.'));

/**
 * What a member who is signed in proves again before the own second step changes: the password and,
 * where there is a second step, a `code` of the app or what a `passkey` answered.
 */
export const ownProof = z.object({
  password: required('Password'),
  code: z.optional(code),
  passkey: z.optional(passkeyAnswer),
});
export type OwnProof = z.infer<typeof ownProof>;

/**
 * What a browser asks the passkeys of an account by, for five minutes
 * (PublicKeyCredentialRequestOptionsJSON).
 */
export const passkeyQuestion = z.object({
  challenge: z.string(),
  rpId: z.string(),
  timeout: z.number(),
  userVerification: z.literal('required'),
  allowCredentials: z.array(z.object({ id: z.string(), type: z.literal('public-key') })),
});
export type PasskeyQuestion = z.infer<typeof passkeyQuestion>;

/**
 * What the second step of an account is made by: an authenticator app and passkeys, null without
 * them and where the office's address has no name. One of both at least is there, but where it has
 * none.
 */
const secondStep = z.object({ hasApp: z.boolean(), passkey: z.nullable(passkeyQuestion) });
export type SecondStep = z.infer<typeof secondStep>;

/**
 * POST /office/sign-in: sets the cookie of the session. `secondStepNeeded`: the password is right
 * and the account has a second step; sign in again with the `code` of the app, or with what a
 * `passkey` answered. A wrong password, an unknown address, a wrong code and a passkey's answer
 * that proves nothing are refused alike with 401; too many tries with 429.
 */
export const officeSignIn = officeEndpoint({
  name: 'officeSignIn',
  method: 'POST',
  path: '/office/sign-in',
  access: 'public',
  role: null,
  body: z.object({
    email: required('Email').check(visible('Email')),
    password: required('Password'),
    code: z.optional(code),
    passkey: z.optional(passkeyAnswer),
  }),
  reply: z.object({
    state: z.enum(['signedIn', 'secondStepNeeded']),
    me: z.nullable(me),
    secondStep: z.nullable(secondStep),
  }),
});

/**
 * POST /office/passkeys/sign-in-options: what a browser asks the passkeys of staff by that it has,
 * for five minutes. 422 where the office's address has no name.
 */
export const officePasskeyOptions = officeEndpoint({
  name: 'officePasskeyOptions',
  method: 'POST',
  path: '/office/passkeys/sign-in-options',
  access: 'public',
  role: null,
  reply: passkeyQuestion,
});

/**
 * POST /office/passkeys/sign-in: sets the cookie of the session, as `officeSignIn` does, by what a
 * passkey answered to `officePasskeyOptions`, which is both steps at once. Wrong passwords do not
 * delay it. Refused alike with 401 for every reason; many from one network with 429.
 */
export const officePasskeySignIn = officeEndpoint({
  name: 'officePasskeySignIn',
  method: 'POST',
  path: '/office/passkeys/sign-in',
  access: 'public',
  role: null,
  body: z.object({ passkey: passkeyAnswer }),
  reply: me,
});

/**
 * POST /office/sign-out: ends the session and removes its cookie; of another member than the one
 * named neither.
 */
export const officeSignOut = officeEndpoint({
  name: 'officeSignOut',
  method: 'POST',
  path: '/office/sign-out',
  access: 'staff',
  role: 'clerk',
  isForEnrolling: true,
  reply: done,
});

/** GET /office/me. */
export const getMe = officeEndpoint({
  name: 'getMe',
  method: 'GET',
  path: '/office/me',
  access: 'staff',
  role: 'clerk',
  isForEnrolling: true,
  isUnnamed: true,
  reply: me,
});

const token = z
  .string('The invitation is not valid.')
  .check(
    z.minLength(1, 'The invitation is not valid.'),
    z.maxLength(200, 'The invitation is not valid.'),
  );

/**
 * POST /office/invitations/read: who is invited. The token is the fragment of the link that was
 * mailed, `/office/invitation#TOKEN`. 404 for one that is used, older than 72 hours or unknown.
 */
export const readInvitation = officeEndpoint({
  name: 'readInvitation',
  method: 'POST',
  path: '/office/invitations/read',
  access: 'public',
  role: null,
  body: z.object({ token }),
  reply: z.object({
    email: z.string(),
    role: officeRole,
    /** Set where it lets a member who is there already choose a new password. */
    name: z.nullable(z.string()),
  }),
});

/**
 * POST /office/invitations/accept: makes the account, or gives it a new password, and signs in.
 * `me.mustEnrol` says that the second step has to be set up next. The password has 12 characters
 * or more and is none of those that are common (422).
 */
export const acceptInvitation = officeEndpoint({
  name: 'acceptInvitation',
  method: 'POST',
  path: '/office/invitations/accept',
  access: 'public',
  role: null,
  body: z.object({
    token,
    name: personName('Name'),
    password: required('Password'),
  }),
  reply: z.object({
    /** Null for a member with a second step, who signs in with it next. */
    me: z.nullable(me),
  }),
});

/**
 * POST /office/me/second-step: a new secret for an authenticator app. It counts once a code of it
 * is confirmed; one that is there stays until then. 422 without the password and the present second
 * step.
 */
export const beginSecondStep = officeEndpoint({
  name: 'beginSecondStep',
  method: 'POST',
  path: '/office/me/second-step',
  access: 'staff',
  role: 'clerk',
  isForEnrolling: true,
  body: ownProof,
  reply: z.object({
    /** In Base32, to type it in. */
    secret: z.string(),
    /** `otpauth://totp/…`, for a QR code. */
    uri: z.string(),
  }),
});

/** POST /office/me/second-step/confirm: the second step counts from now on. */
export const confirmSecondStep = officeEndpoint({
  name: 'confirmSecondStep',
  method: 'POST',
  path: '/office/me/second-step/confirm',
  access: 'staff',
  role: 'clerk',
  isForEnrolling: true,
  body: z.object({ code }),
  reply: me,
});
