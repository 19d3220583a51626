import { paragraph, type Email } from '#emails/email.ts';

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
      { kind: 'link', label: isNew ? 'Accept the invitation' : 'Choose a password', url },
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

/** Notifies a member of staff that a passkey was added to the account, or removed. */
export function staffPasskeyEmail(change: 'added' | 'removed', name: string): Email {
  const said = {
    added: `The passkey “${name}” was added to your account in the office. It is a second step of your sign-in, after the password. Other sessions were ended.`,
    removed: `The passkey “${name}” was removed from your account in the office. It is a second step no longer, and other sessions were ended.`,
  };
  return accountEmail(said[change]);
}

function accountEmail(text: string): Email {
  return {
    subject: 'Your account in the office has changed',
    blocks: [paragraph(text), paragraph('If you did not expect this, ask an owner at once.')],
  };
}
