import { action, paragraph, type Email } from '#emails/email.ts';
import { OPEN_OFFICE } from '#emails/open-office.ts';

/** Invites a member of staff, or lets one choose a new password. */
export function staffInvitationEmail(url: string, isNew: boolean): Email {
  return {
    subject: isNew ? 'Your account in the office' : 'Choose a new password for the office',
    blocks: [
      paragraph(
        isNew
          ? 'You are invited to the office, where staff run the day. Open the link and choose a password.'
          : 'An owner lets you choose a new password for the office. Until you do, the present one stays.',
      ),
      action(isNew ? 'Accept the invitation' : 'Choose a password', url),
      paragraph(
        'The link works once, and for 72 hours. Do not pass it on: whoever opens it signs in as you.',
      ),
    ],
  };
}

const changes = {
  disabled: 'Your account in the office was disabled, and you were signed out everywhere.',
  enabled: 'Your account in the office was enabled again. Your password is the one that you had.',
  secondStepReset:
    'The second step of your sign-in to the office was reset with all its passkeys, and you were signed out everywhere. Set it up again after the next sign-in.',
  passwordSet: 'A password for your account in the office was set, and other sessions were ended.',
} as const;
export type StaffAccountChange = keyof typeof changes;

/** Notifies a member of staff of a change to the account. */
export function staffAccountEmail(change: StaffAccountChange): Email {
  return accountEmail(changes[change]);
}

/** A change that a member made to the own second step; `name` is the passkey's. */
export type OwnChange =
  | { what: 'passkeyAdded' | 'passkeyRemoved'; name: string }
  | { what: 'appSet' };

/** Notifies a member of staff of it. */
export function ownChangeEmail(change: OwnChange): Email {
  switch (change.what) {
    case 'passkeyAdded':
      return accountEmail(
        `The passkey “${change.name}” was added to your account in the office. It signs you in by itself, or after the password as the second step. Other sessions were ended.`,
      );
    case 'passkeyRemoved':
      return accountEmail(
        `The passkey “${change.name}” was removed from your account in the office. It signs you in no longer, and other sessions were ended.`,
      );
    case 'appSet':
      return accountEmail(
        'An authenticator app was set up as a second step of your sign-in to the office; one that was there counts no longer. Other sessions were ended.',
      );
  }
}

const toOwners: Record<OwnChange['what'], string> = {
  passkeyAdded: 'added a passkey for signing in to the office',
  passkeyRemoved: 'removed a passkey for signing in to the office',
  appSet: 'set up an authenticator app as the second step of signing in to the office',
};

/** Notifies an owner of it; `who` is another member. The passkey's name is the member's own. */
export function ownersEmail({ what }: OwnChange, who: string): Email {
  return {
    subject: 'The second step of a member of staff has changed',
    blocks: [
      paragraph(`${who} ${toOwners[what]}.`),
      action('Open the list of staff', '/office/staff'),
      paragraph(
        'If that was not expected, reset the second step in the office and ask the member.',
      ),
    ],
  };
}

const signIns = {
  locked:
    'Somebody tried wrong passwords or second steps for your account in the office several times today, so sign-ins have to wait: for up to an hour in browsers that you have not signed in with before, and for up to 15 minutes in one of yours in which it was tried. A passkey signs you in without a wait. The server’s operator can end it with `staff unlock`.',
  newNetwork:
    'Somebody signed in to your account in the office from a network that was not used for it in the last month. If it was you, there is nothing to do.',
  withoutSecondStep:
    'Somebody gave the right password of your account in the office in a browser that you have not signed in with before, and has not given the right second step. If it was not you, ask an owner for a new invitation to choose another password.',
} as const;

/** Notifies a member of staff of what happened at the sign-in. */
export function staffSignInEmail(what: keyof typeof signIns): Email {
  return {
    subject: 'A sign-in to your account in the office',
    blocks: [
      paragraph(signIns[what]),
      OPEN_OFFICE,
      paragraph('If you did not expect this, ask an owner at once.'),
    ],
  };
}

function accountEmail(text: string): Email {
  return {
    subject: 'Your account in the office has changed',
    blocks: [
      paragraph(text),
      OPEN_OFFICE,
      paragraph('If you did not expect this, ask an owner at once.'),
    ],
  };
}
