import { officeVerbs, type OfficeVerbName } from './verbs.ts';

/** What staff do by other calls than verbs, or were shown, in the words of its button. */
const otherActions = {
  'records.show': 'See records of tenants',
  'tenants.show': 'Open a tenant’s page',
  'tenants.asTenant': 'Look as the tenant sees it',
  'rentals.code': 'Read a gate code',
  'notes.add': 'Add a note',
  'notes.remove': 'Remove a note',
  'notes.restore': 'Restore a note',
  'notices.keepText': 'Keep a text of late notices',
  'notices.removeText': 'Remove a text of late notices',
  'facilities.change': 'Change settings',
  'facilities.cancelChange': 'Cancel a change of settings',
  'facilities.addRecipient': 'Add who is mailed',
  'facilities.removeRecipient': 'Remove who is mailed',
  import: 'Import',
};

/** The `verb` in the details of a `staff_action`. A quote that is not mailed is not noted. */
export type AuditAction = Exclude<OfficeVerbName, 'rentals.quote'> | keyof typeof otherActions;

/** Every action of the audit trail in the words of its button. */
export const auditActions = {
  ...Object.fromEntries(
    Object.values(officeVerbs)
      .filter(({ name }) => name !== 'rentals.quote')
      .map(({ name, verb }) => [name, verb.title]),
  ),
  ...otherActions,
} as Record<AuditAction, string>;

/**
 * The kinds of events in the audit trail, in words. Consents to autopay, payments with their
 * methods and messages to staff have their own immutable rows and are not repeated there
 * (docs/retention.md).
 */
export const auditKinds = {
  staff_action: 'Action of staff',
  staff_signed_in: 'Staff signed in',
  staff_sign_in_failed: 'Sign-in of staff failed',
  staff_second_step_asked: 'Right password of staff, second step missing',
  staff_signed_out: 'Staff signed out',
  staff_session_ended: 'Session of staff ended',
  staff_account_changed: 'Account of staff changed',
  signed_in: 'Tenant signed in',
  sign_in_failed: 'Sign-in of a tenant failed',
  signed_out: 'Tenant signed out',
  session_replaced: 'Session replaced',
  session_ended: 'Session ended',
  session_confirmed: 'Session confirmed by passkey',
  confirmation_failed: 'Confirmation by passkey failed',
  passkey_added: 'Passkey added',
  passkey_removed: 'Passkey removed',
  registered: 'Tenant registered',
  password_set: 'Password set',
  gate_code_shown: 'Gate code shown',
  license_added: 'Driver’s license added',
  phone_added: 'Phone added',
  alternate_contact_set: 'Alternate contact set',
  contact_update_requested: 'Contact update requested',
  contact_update_objected: 'Contact update objected to',
  calendar_feed_made: 'Calendar feed made',
  calendar_feed_removed: 'Calendar feed removed',
  reminders_stopped: 'Reminders stopped',
  reminders_resumed: 'Reminders resumed',
  vehicle_paper_filed: 'Vehicle paper filed',
  vehicle_paper_removed: 'Vehicle paper removed',
  vehicle_paper_shown: 'Vehicle paper opened',
  document_signed: 'Document signed',
  document_declined: 'Document declined',
  move_out_requested: 'Move-out requested',
  request_replied: 'Request replied to',
  request_status_changed: 'Status of a request changed',
  user_invited: 'Tenant invited',
  user_disabled: 'Tenant’s sign-in disabled',
  user_enabled: 'Tenant’s sign-in enabled',
  user_unlocked: 'Tenant’s sign-in unlocked',
  access_refused: 'Access refused',
  token_misplaced: 'Token misplaced',
  secrets_exported: 'Secrets exported',
  payment_refunded: 'Payment refunded',
  refund_refused: 'Refund refused by the gateway',
  payment_disputed: 'Payment disputed',
  dispute_won: 'Dispute won',
  dispute_lost: 'Dispute lost',
} as const;
export type AuditKind = keyof typeof auditKinds;
