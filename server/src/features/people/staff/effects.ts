import { officeRoles, type OfficeRole } from '@gatehouse/contract/office/office-endpoint';
import type { StaffRow } from '@gatehouse/contract/office/staff';

/** What each role may do beyond those before it. */
const abilities: Record<OfficeRole, string> = {
  clerk:
    'take payments, add charges, answer requests, and move tenants in, out and to another unit',
  manager:
    'waive, refund, reverse and credit, and change rents, gate codes, email addresses and settings',
  owner: 'invite staff, give roles, and verify the audit trail',
};

type Account = Pick<
  StaffRow,
  'name' | 'email' | 'role' | 'isForAllFacilities' | 'locationCodes' | 'state'
>;

/** What ends with an action on an account. */
export type Ending = { sessions: number; hasInvitation: boolean };

/** What another role and other facilities of an account do, in sentences; `all` are the codes. */
export function changeEffects(before: Account, after: Account, all: string[]): string[] {
  const who = nameOf(before);
  const [had, has] = [codesOf(before, all), codesOf(after, all)];
  const effects = [
    ...differenceOf(rolesOf(before), rolesOf(after)).map(
      (role) => `${who} can no longer ${abilities[role]}.`,
    ),
    ...differenceOf(rolesOf(after), rolesOf(before)).map(
      (role) => `${who} can also ${abilities[role]}.`,
    ),
    ...facilities(`${who} can no longer open`, differenceOf(had, has)),
    ...facilities(`${who} can also open`, differenceOf(has, had)),
    ...(!before.isForAllFacilities && after.isForAllFacilities
      ? [`${who} can open every facility that is added later.`]
      : []),
  ];
  if (effects.length === 0) return ['Nothing changes.'];
  if (before.role !== after.role && before.state === 'active')
    return [...effects, `${who} is signed out everywhere, and signs in again.`];
  return [...effects, fromWhen[before.state](who)];
}

const fromWhen: Record<Account['state'], (who: string) => string> = {
  active: (who) =>
    `It counts from the next call on, also in a dialog that is open. ${who} stays signed in.`,
  invited: () => 'It counts once the invitation is accepted.',
  disabled: () => 'The account stays disabled.',
};

/** What disabling an account does, in sentences. */
export function disableEffects(account: Account, ending: Ending): string[] {
  const { role, email } = account;
  const who = nameOf(account);
  const can = rolesOf(account).map((each) => abilities[each]);
  return [
    ...endingOf(who, ending),
    ...(ending.hasInvitation ? ['The invitation that was mailed opens nothing any more.'] : []),
    `${who} can no longer sign in as ${role} of ${placesOf(account)}, and so can no longer ${can.join('; ')}.`,
    'What was recorded under that name stays. An owner can enable the account again.',
    mailed(email),
  ];
}

/** What enabling an account does, in sentences. */
export function enableEffects(account: Account): string[] {
  return [
    `${nameOf(account)} can sign in again as ${account.role} of ${placesOf(account)}, with the password of before.`,
    mailed(account.email),
  ];
}

/** What a reset of the second step does, in sentences. */
export function resetEffects(account: Account, ending: Ending): string[] {
  return [
    'The authenticator app and every passkey of the account are removed.',
    ...endingOf(nameOf(account), ending),
    'The next sign-in asks for the password alone, and sets up a second step where one is demanded.',
    mailed(account.email),
  ];
}

/** What a new invitation does, in sentences. */
export function inviteEffects(account: Account): string[] {
  return [
    `A link that works for 72 hours is mailed to ${account.email}. An earlier one opens nothing any more.`,
    account.name === null
      ? 'Whoever opens it chooses a name and a password.'
      : 'Whoever opens it chooses a new password. Until then the present one stays.',
  ];
}

function nameOf({ name, email }: Account): string {
  return name ?? email;
}

/** The role and those whose abilities it has as well. */
function rolesOf({ role }: Account): OfficeRole[] {
  return officeRoles.slice(0, officeRoles.indexOf(role) + 1);
}

function codesOf({ isForAllFacilities, locationCodes }: Account, all: string[]): string[] {
  return isForAllFacilities ? all : locationCodes;
}

function differenceOf<Value>(of: Value[], without: Value[]): Value[] {
  return of.filter((one) => !without.includes(one));
}

function facilities(sentence: string, codes: string[]): string[] {
  return codes.length === 0 ? [] : [`${sentence} ${codes.join(', ')}.`];
}

function placesOf({ isForAllFacilities, locationCodes }: Account): string {
  return isForAllFacilities ? 'every facility' : locationCodes.join(', ');
}

function endingOf(who: string, { sessions }: Ending): string[] {
  if (sessions === 0) return [`${who} is not signed in now.`];
  return [
    `${who} is signed out at once: ${sessions} ${sessions === 1 ? 'session ends' : 'sessions end'}.`,
  ];
}

function mailed(email: string): string {
  return `It is mailed to ${email}.`;
}
