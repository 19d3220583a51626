import {
  addStaffPasskey,
  getSecondSteps,
  removeStaffPasskey,
  renameStaffPasskey,
  staffPasskeyOptions,
} from '@gatehouse/contract/office/passkeys';
import {
  acceptInvitation,
  beginSecondStep,
  confirmSecondStep,
  getMe,
  officePasskeyOptions,
  officePasskeySignIn,
  officeSignIn,
  officeSignOut,
  readInvitation,
} from '@gatehouse/contract/office/session';
import { endStaffSession, listStaffSessions } from '@gatehouse/contract/office/sessions';
import {
  actOnStaff,
  changeStaff,
  getStaff,
  inviteStaff,
  listStaff,
} from '@gatehouse/contract/office/staff';
import type { Context } from '#context/context.ts';
import type { OfficeRoutes } from '#http/office-routes.ts';
import { findMember, type StaffMember } from '#http/staff-guard.ts';
import { hashToken } from '#http/token.ts';
import type { Origin } from '#http/routes.ts';
import { acceptStaffInvitation, readStaffInvitation } from './invitations.ts';
import { meView } from './me.ts';
import {
  actOnStaffMember,
  changeStaffMember,
  findStaff,
  getStaffMember,
  inviteStaffMember,
  type StaffActor,
} from './members.ts';
import { askAnyPasskey } from './passkey-step.ts';
import {
  addStaffPasskeyOf,
  removeStaffPasskeyOf,
  renameStaffPasskeyOf,
  secondStepsOf,
  staffPasskeyOptionsOf,
} from './passkeys.ts';
import { beginSecondStepOf, confirmSecondStepOf } from './second-step.ts';
import { endStaffSessionOf, listStaffSessionsOf } from './sessions.ts';
import { signInStaff, signInStaffByPasskey, signOutStaff } from './sign-in.ts';

export function staffRoutes({ open, staff: staffRoute }: OfficeRoutes): void {
  open(officeSignIn, async ({ work, body, origin, device, setSession, setDevice }) => {
    const signIn = await signInStaff(work, { ...body, device }, origin);
    if (signIn.token === null)
      return { state: 'secondStepNeeded' as const, me: null, secondStep: signIn.secondStep };
    setSession(signIn.token);
    setDevice(signIn.device);
    return { state: 'signedIn' as const, me: await meOf(work, signIn.token), secondStep: null };
  });
  open(officePasskeyOptions, ({ work }) => Promise.resolve(askAnyPasskey(work)));
  open(officePasskeySignIn, async ({ work, body, origin, device, setSession, setDevice }) => {
    const signIn = await signInStaffByPasskey(work, body.passkey, { ...origin, device });
    setSession(signIn.token);
    setDevice(signIn.device);
    return meOf(work, signIn.token);
  });
  open(readInvitation, ({ work, body, origin }) =>
    readStaffInvitation(work, body.token, origin.ip),
  );
  open(acceptInvitation, async ({ work, body, origin, device, setSession, setDevice }) => {
    const { token, device: kept } = await acceptStaffInvitation(work, body, { ...origin, device });
    if (kept !== undefined) setDevice(kept);
    if (token === undefined) return { me: null };
    setSession(token);
    return { me: await meOf(work, token) };
  });
  staffRoute(officeSignOut, async ({ work, staff, origin, setSession }) => {
    await signOutStaff(work, staff, origin);
    setSession(null);
    return { success: true as const };
  });
  staffRoute(listStaffSessions, ({ work, staff }) => listStaffSessionsOf(work, staff));
  staffRoute(endStaffSession, async ({ work, staff, body, origin }) => {
    await endStaffSessionOf(work, staff, body.session, origin);
    return { success: true as const };
  });
  staffRoute(getMe, ({ work, staff }) => Promise.resolve(meView(work, staff)));
  staffRoute(beginSecondStep, ({ work, staff, body }) => beginSecondStepOf(work, staff, body));
  staffRoute(confirmSecondStep, async ({ work, staff, body, origin }) => {
    await confirmSecondStepOf(work, staff, body.code, origin);
    return meView(work, { ...staff, hasSecondStep: true, mustEnrol: false });
  });
  staffRoute(getSecondSteps, ({ work, staff }) => secondStepsOf(work, staff));
  staffRoute(staffPasskeyOptions, ({ work, staff, body }) =>
    staffPasskeyOptionsOf(work, staff, body),
  );
  staffRoute(addStaffPasskey, async ({ work, staff, body, origin }) => {
    await addStaffPasskeyOf(work, staff, body, origin);
    return meView(work, { ...staff, hasSecondStep: true, mustEnrol: false });
  });
  staffRoute(renameStaffPasskey, ({ work, staff, params, body }) =>
    renameStaffPasskeyOf(work, staff, params.passkeyId, body.name),
  );
  staffRoute(removeStaffPasskey, async ({ work, staff, params: { passkeyId }, body, origin }) => {
    const isLeft = await removeStaffPasskeyOf(work, staff, { passkeyId, proof: body }, origin);
    return meView(work, { ...staff, hasSecondStep: isLeft });
  });

  staffRoute(listStaff, async ({ work }) => ({ rows: await findStaff(work), next: null }));
  staffRoute(getStaff, ({ work, params }) => getStaffMember(work, params.staffId));
  staffRoute(inviteStaff, ({ work, body, staff, origin }) =>
    inviteStaffMember(work, body, actorOf(staff, origin)),
  );
  staffRoute(changeStaff, ({ work, params, body, staff, origin }) =>
    changeStaffMember(work, params.staffId, body, actorOf(staff, origin, body)),
  );
  staffRoute(actOnStaff, ({ work, params, body, staff, origin }) =>
    actOnStaffMember(work, params.staffId, body.action, actorOf(staff, origin, body)),
  );
}

function actorOf(
  { name, staffId }: StaffMember,
  origin: Origin,
  change: { why: string; isPreview: boolean } | null = null,
): StaffActor {
  return { by: name, staffId, origin, ...change };
}

async function meOf(work: Context, token: string) {
  const member = await findMember(work, work.clock.now(), hashToken(token));
  if (member === null) throw new Error('a session that was just begun is not there');
  return meView(work, member);
}
