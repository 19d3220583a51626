import { alarm } from '@gatehouse/contract/alarms';
import { calendarDate } from '@gatehouse/contract/calendar-date';
import { id } from '@gatehouse/contract/ids';
import { deposits, freeUnits, lateLedgers } from '@gatehouse/contract/reports';
import { documentRow, formRow } from '@gatehouse/contract/staff-documents';
import { payLinkRow } from '@gatehouse/contract/staff-pay-links';
import { rentalId, tenantRecordId } from '@gatehouse/contract/staff-verb';
import { foundTenants, shownTenant } from '@gatehouse/contract/tenant-records';
import { z } from 'zod/mini';
import { getAlarm, listAlarms } from '#features/base/alarms/staff.ts';
import { showGateCodeOf } from '#features/service/gate-access/staff.ts';
import { listForms } from '#features/service/esign/forms.ts';
import { listDocumentsOf } from '#features/service/esign/staff.ts';
import { findPayLinks } from '#features/money/pay-links/links.ts';
import type { Context } from '#context/context.ts';
import { noteShown } from '#features/base/staff-actions/staff-actions.ts';
import { findDeposits } from '#features/money/reports/deposits.ts';
import { findFreeUnits } from '#features/money/reports/free-units.ts';
import { findLateLedgers } from '#features/money/reports/late.ts';
import { findTenants } from '#features/rentals/tenants/find.ts';
import { showTenant } from '#features/rentals/tenants/show.ts';
import { staffRead, type ReadCall, type StaffRead } from './staff-command.ts';

const MOST_ALARMS = 500;
const onlyOf = (ids: string[] | null) => ids?.[0] ?? null;

/** Notes that rows of tenants were shown by a command: how many, never which. */
function noteRows(ctx: Context, call: ReadCall, shows: string, rows: number): Promise<void> {
  const details = { shows, rows: String(rows) };
  return noteShown(ctx, 'records.show', call, { facilityId: onlyOf(call.facilityIds), details });
}

/** What staff look up from a shell. */
export const staffReads: StaffRead[] = [
  staffRead({
    words: 'tenants find',
    summary: 'Finds tenant records by name, email, phone, unit, license plate or receipt number',
    body: z.object({
      text: z
        .string()
        .check(
          z.describe(
            'the beginning of a name or email, the end of a phone or plate, or a whole unit or receipt',
          ),
        ),
    }),
    reply: foundTenants,
    isNoted: true,
    async find(ctx, { text }, call) {
      const found = await findTenants(ctx.db, text, call.facilityIds);
      await noteRows(ctx, call, 'tenants find', found.tenants.length);
      return found;
    },
  }),
  staffRead({
    words: 'tenants show',
    summary: 'Shows a tenant record with rentals, charges, methods, last entries and their ids',
    body: z.object({ tenantId: tenantRecordId }),
    reply: shownTenant,
    isNoted: true,
    find: (ctx, body, call) => showTenant(ctx, call, body.tenantId),
  }),
  staffRead({
    words: 'rentals code',
    summary: 'Shows the gate code of a rental, and notes in the audit trail that it was shown',
    body: z.object({ ledgerId: rentalId }),
    reply: z.object({
      ...{ ledgerId: id, unitName: z.string(), gateCode: z.nullable(z.string()) },
      others: z.array(z.object({ name: z.string(), gateCode: z.string() })),
    }),
    isNoted: true,
    find: (ctx, { ledgerId }, call) => showGateCodeOf(ctx, call, ledgerId),
  }),
  staffRead({
    words: 'pay-links list',
    summary: 'Lists the pay links of a tenant record of the last 90 days, the newest first',
    body: z.object({ tenantId: tenantRecordId }),
    reply: z.object({ payLinks: z.array(payLinkRow) }),
    find: async (ctx, body, { facilityIds }) => ({
      payLinks: await findPayLinks(ctx, body.tenantId, facilityIds),
    }),
  }),
  staffRead({
    words: 'forms list',
    summary: 'Lists the document forms in use, with their texts',
    body: z.object({}),
    reply: z.object({ forms: z.array(formRow) }),
    find: async ({ db }, _body, { facilityIds }) => ({ forms: await listForms(db, facilityIds) }),
  }),
  staffRead({
    words: 'documents list',
    summary: 'Lists the documents to sign of a tenant record, the newest first',
    body: z.object({ tenantId: tenantRecordId }),
    reply: z.object({ documents: z.array(documentRow) }),
    find: async (ctx, body, { facilityIds }) => ({
      documents: await listDocumentsOf(ctx, body.tenantId, facilityIds),
    }),
  }),
  staffRead({
    words: 'units free',
    summary: 'Lists the units that can be let, with the rent of their last rental',
    body: z.object({
      on: z.optional(calendarDate.check(z.describe('from this day on; today without it'))),
    }),
    reply: freeUnits,
    find: (ctx, { on = null }, { facilityIds }) =>
      findFreeUnits(ctx, { on, facilityId: onlyOf(facilityIds) }),
  }),
  staffRead({
    words: 'ledgers late',
    summary: 'Lists past-due rentals with phone and autopay, the longest past due first',
    body: z.object({
      days: z.optional(z.int().check(z.describe('at least this many days past due'))),
    }),
    reply: lateLedgers,
    isNoted: true,
    async find(ctx, { days = 0 }, call) {
      const found = await findLateLedgers(ctx, { facilityId: onlyOf(call.facilityIds), days });
      await noteRows(ctx, call, 'ledgers late', found.count);
      return found;
    },
  }),
  staffRead({
    words: 'deposits show',
    summary: 'Shows a day’s takings by facility, type and gateway payout, and what was taken back',
    body: z.object({ on: calendarDate.check(z.describe('the facilities’ day')) }),
    reply: deposits,
    find: ({ db }, { on }, { facilityIds }) => findDeposits(db, { on, facilityIds }),
  }),
  staffRead({
    words: 'alarms list',
    summary: `Lists alarms that are open, the newest first, at most ${MOST_ALARMS}`,
    body: z.object({ all: z.optional(z.boolean().check(z.describe('closed ones as well'))) }),
    reply: z.object({ alarms: z.array(alarm) }),
    find: async ({ db }, { all = false }, { facilityIds }) => ({
      alarms: await listAlarms(db, {
        facilityId: onlyOf(facilityIds),
        isAll: all,
        most: MOST_ALARMS,
      }),
    }),
  }),
  staffRead({
    words: 'alarms show',
    summary: 'Shows an alarm with its facts and what to do',
    body: z.object({ alarmId: id.check(z.describe('the alarm')) }),
    reply: alarm,
    find: ({ db }, { alarmId }, { facilityIds }) => getAlarm(db, alarmId, facilityIds),
  }),
];
