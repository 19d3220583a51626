import { z } from 'zod/mini';
import { id } from '../ids.ts';
import { emailAddress } from '../text.ts';
import { pageOf, reason, staffParams } from './lists.ts';
import { officeEndpoint, officeRole } from './office-endpoint.ts';

/** A member of staff, or one who is invited and has not accepted yet. */
export const staffRow = z.object({
  id,
  name: z.nullable(z.string()),
  email: z.string(),
  role: officeRole,
  isForAllFacilities: z.boolean(),
  locationCodes: z.array(z.string()),
  state: z.enum(['invited', 'active', 'disabled']),
  hasSecondStep: z.boolean(),
  lastSignInAt: z.nullable(z.iso.datetime()),
  createdAt: z.iso.datetime(),
});
export type StaffRow = z.infer<typeof staffRow>;

/** Facilities by location code; an owner is for all, so none are named. */
const facilityFields = {
  isForAllFacilities: z.boolean('IsForAllFacilities must be true or false.'),
  locationCodes: z
    .array(z.string().check(z.maxLength(50, 'A location is too long.')))
    .check(z.maxLength(500, 'Too many facilities.')),
};
const isWhole = ({
  role,
  isForAllFacilities,
  locationCodes,
}: {
  role: string;
  isForAllFacilities: boolean;
  locationCodes: string[];
}) =>
  isForAllFacilities ? locationCodes.length === 0 : role !== 'owner' && locationCodes.length > 0;
const WHOLE =
  'An owner is for all facilities; for clerks and managers name the facilities, or all of them.';

/** GET /office/staff: everybody, by name; one page. */
export const listStaff = officeEndpoint({
  name: 'listStaff',
  method: 'GET',
  path: '/office/staff',
  access: 'staff',
  role: 'owner',
  reply: pageOf(staffRow),
});

/** GET /office/staff/{staffId}. */
export const getStaff = officeEndpoint({
  name: 'getStaff',
  method: 'GET',
  path: '/office/staff/:staffId',
  access: 'staff',
  role: 'owner',
  params: staffParams,
  reply: staffRow,
});

/** POST /office/staff: mails an invitation, good for 72 hours. 409 for an address that is there. */
export const inviteStaff = officeEndpoint({
  name: 'inviteStaff',
  method: 'POST',
  path: '/office/staff',
  access: 'staff',
  role: 'owner',
  body: z
    .object({ email: emailAddress('Email'), role: officeRole, ...facilityFields })
    .check(z.refine(isWhole, WHOLE)),
  reply: staffRow,
});

/** What comes with a change of an account. */
const changeFields = {
  why: reason,
  isPreview: z.boolean('IsPreview must be true or false.'),
};
/** The account as it is afterwards, and in sentences what that does. */
const changedStaff = z.extend(staffRow, { effects: z.array(z.string()) });

/**
 * PATCH /office/staff/{staffId}: role and facilities, which count from the next call of the member
 * on; another role ends the member's sessions. A preview changes nothing. 409 where no owner would
 * be left.
 */
export const changeStaff = officeEndpoint({
  name: 'changeStaff',
  method: 'PATCH',
  path: '/office/staff/:staffId',
  access: 'staff',
  role: 'owner',
  params: staffParams,
  body: z
    .object({ role: officeRole, ...facilityFields, ...changeFields })
    .check(z.refine(isWhole, WHOLE)),
  reply: changedStaff,
});

/**
 * POST /office/staff/{staffId}: `disable` ends all sessions at once, `enable` lets the member sign
 * in again, `resetSecondStep` takes the second step away and ends the sessions, `invite` mails a
 * new invitation: to a member who has not accepted, or for a new password. Each is mailed to the
 * member. A preview changes and mails nothing.
 */
export const actOnStaff = officeEndpoint({
  name: 'actOnStaff',
  method: 'POST',
  path: '/office/staff/:staffId',
  access: 'staff',
  role: 'owner',
  params: staffParams,
  body: z.object({
    action: z.enum(['disable', 'enable', 'resetSecondStep', 'invite'], 'Choose what to do.'),
    ...changeFields,
  }),
  reply: changedStaff,
});
