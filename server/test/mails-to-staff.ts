import { depositEmail, lateListEmail, openAlarmsEmail } from '#emails/morning.ts';
import * as account from '#features/people/staff/emails.ts';
import { alarmEmail } from '#emails/alarm.ts';
import { action, withAction, type Email } from '#emails/email.ts';
import { mergedEmail } from '#emails/merged.ts';
import { objectionEmail } from '#emails/staff/objection.ts';
import { requestAnswerEmail } from '#emails/staff/request-answer.ts';
import type { StaffMessage } from '#emails/staff/staff-message.ts';
import { staffEmailOf } from '#emails/staff/templates.ts';

const facilityName = 'Anchor & Axle Eagle Mountain';
const on = '2026-11-05';
const id = '7d1f0a86-3c55-4b6e-9a44-2f5b8c1d9e01';
const message: StaffMessage = {
  reference: 'R-100042',
  facilityName,
  unitNames: ['A101'],
  tenant: { name: 'Dana Reyes', phone: '8175550142', email: 'dana@example.com' },
};
const late = { unitName: 'A101', firstName: 'Dana', lastName: 'Reyes', isOnHold: true } as const;
const task = action('Reply or set the status', `/office/requests/${id}/show`);
const repair = () =>
  withAction(
    staffEmailOf('maintenance_request_form', 'R-100042', {
      ...message,
      ...{
        issueType: 'transferParking',
        description: 'Mice, again.\nBehind the boat.',
        photo: null,
      },
    }),
    task,
  );

/** What each mail to staff is about, with its forms. */
export const mailsToStaff: Record<string, (() => Email)[]> = {
  'a request': [
    repair,
    () => withAction(requestAnswerEmail(message, { title: 'Move-out', text: 'On Monday.' }), task),
    () => mergedEmail('2 maintenance requests', [repair(), repair()]),
    () => objectionEmail({ id, facilityName, ...{ reference: 'R-1', tenantEmail: 'd@x.example' } }),
  ],
  'an alarm': [
    () =>
      alarmEmail({
        sentence: 'The books differ.',
        advice: 'Call us.',
        facts: { cents: 1, of: ['a'] },
      }),
  ],
  'a morning': [
    () =>
      lateListEmail({
        facilityName,
        on,
        rows: [{ ...late, balance: 664.5, daysOwed: 12, bucket: '1–30' as never }],
        sums: [],
      }),
    () => openAlarmsEmail({ facilityName, count: 2, alarms: [{ sentence: 'A', advice: 'B' }] }),
    () =>
      depositEmail({
        facilityName,
        deposits: { on, facilities: [], taken: 100, back: 0 },
        drawer: { lines: [], closedBy: null },
      }),
  ],
  'an account of staff': [
    () => account.staffInvitationEmail('https://x/office/invitation#t', true),
    () => account.staffInvitationEmail('https://x/office/invitation#t', false),
    () => account.staffAccountEmail('disabled'),
    () => account.ownChangeEmail({ what: 'passkeyAdded', name: 'Phone' }),
    () => account.ownersEmail({ what: 'appSet' }, 'Robin Vale (robin@anchor-axle.example)'),
    () => account.staffSignInEmail('locked'),
  ],
};
