import { userInfo } from 'node:os';
import { formatDate } from '@gatehouse/contract/dates';
import { formatMoney } from '@gatehouse/contract/money';
import { formatPhone } from '@gatehouse/contract/phone';
import {
  addTenant,
  changeTenantEmail,
  gateWaitReasons,
  MOST_FOUND,
  type ShownTenant,
} from '@gatehouse/contract/tenant-records';
import { Command } from 'commander';
import { COMMAND } from '#config/command.ts';
import { findTenants } from '#features/tenants/find.ts';
import { showTenant } from '#features/tenants/show.ts';
import { addTenantRecord, changeEmailOf } from '#features/tenants/staff-records.ts';
import { columnsOf } from './columns.ts';
import { findFacilities } from './facilities.ts';
import { exitCodes, type Runner } from './runner.ts';
import { addStaffCommand, recordId, toFault } from './staff-command.ts';

/** `tenants find|show|add|email`: the tenant records. */
export function tenantsCommand(run: Runner): Command {
  const tenants = new Command('tenants').description(
    'Tenant records: find, show, add, change the email address.',
  );
  tenants.addCommand(findCommand(run)).addCommand(showCommand(run));

  addStaffCommand<typeof addTenant, Record<string, string>>(tenants, run, {
    verb: addTenant,
    name: 'add',
    declare: (command) =>
      command
        .requiredOption('--first-name <name>', 'first name')
        .requiredOption('--last-name <name>', 'last name')
        .requiredOption('--email <address>', 'email address')
        .requiredOption('--phone <number>', 'phone number, in any format')
        .requiredOption('--street1 <text>', 'street')
        .option('--street2 <text>', 'second line of the street')
        .requiredOption('--city <city>', 'city')
        .requiredOption('--region <state>', 'state, by its two letters')
        .requiredOption('--postal-code <code>', 'postal code'),
    bodyOf: (options) => options,
    work: addTenantRecord,
    print: ({ tenantId }, isPreview) => [
      isPreview ? 'The tenant record would be made.' : `The tenant record ${tenantId} is made.`,
    ],
    help: `  ${COMMAND} tenants add --facility TXDFW03 --first-name Dana --last-name Reyes --email dana@example.com --phone "(817) 555-0142" --street1 "18 Heron Lane" --city Azle --region TX --postal-code 76020`,
  });

  addStaffCommand<typeof changeTenantEmail, object>(tenants, run, {
    verb: changeTenantEmail,
    name: 'email',
    declare: (command) =>
      command
        .argument('<tenant>', 'the tenant record, by its id', recordId)
        .argument('<address>', 'the new email address'),
    bodyOf: (_, tenantId, email) => ({ tenantId, email }),
    work: changeEmailOf,
    print: ({ email, sessionsEnded }, isPreview) => [
      `${email} ${isPreview ? 'would be' : 'is'} on file, and both addresses are mailed; sessions ended: ${sessionsEnded}.`,
    ],
    help: `  ${COMMAND} tenants email 7d1f0a86-3c55-4e0a-8f5c-6a2b9e7d4c31 dana.reyes@example.com --by Ana`,
  });
  return tenants;
}

function findCommand(run: Runner): Command {
  return new Command('find')
    .description(
      'Finds tenant records by name, email, phone, unit, license plate or receipt number.',
    )
    .argument(
      '<text...>',
      'the beginning of a name or email, or a complete phone, unit, plate or receipt number',
    )
    .option('--facility <code>', 'only this facility, by its location code (default: all)')
    .option('--json', 'print one JSON object')
    .addHelpText(
      'after',
      `
Examples:
  ${COMMAND} tenants find reyes
  ${COMMAND} tenants find "(817) 555-0142" --facility TXDFW03 --json`,
    )
    .action((words: string[], { facility, json = false }: { facility?: string; json?: boolean }) =>
      run(async ({ db }, terminal) => {
        const [only] = facility === undefined ? [] : await findFacilities(db, facility);
        const found = await findTenants(db, words.join(' '), only ? [only.id] : null).catch(
          toFault,
        );
        if (json) terminal.line(JSON.stringify(found));
        else if (found.tenants.length === 0) terminal.line('There are none.');
        else {
          const rows = found.tenants.map(
            ({ tenantId, locationCode, firstName, lastName, email, phone, rentals }) => [
              tenantId,
              locationCode,
              `${firstName} ${lastName}`,
              email,
              formatPhone(phone ?? ''),
              rentals
                .map(({ unitName, balance }) => `${unitName} ${formatMoney(balance)}`)
                .join(', '),
            ],
          );
          for (const line of columnsOf(rows)) terminal.line(line);
          if (found.isMore)
            terminal.line(`More than ${MOST_FOUND} fit; look for more of the name.`);
        }
        return exitCodes.DONE;
      }),
    );
}

type ShowOptions = { facility?: string; json?: boolean; by: string; why: string };

function showCommand(run: Runner): Command {
  return new Command('show')
    .description(
      'Shows a tenant record: balances, open charges, saved methods and last entries, with their ids.',
    )
    .argument('<tenant>', 'the tenant record, by its id', recordId)
    .option('--json', 'print one JSON object, sums in dollars')
    .option('--by <name>', 'your name, for the audit trail', userInfo().username)
    .option('--why <text>', 'the reason, for the audit trail', '')
    .option('--facility <code>', 'fail unless it belongs to the facility with this location code')
    .addHelpText(
      'after',
      `
Examples:
  ${COMMAND} tenants show 7d1f0a86-3c55-4e0a-8f5c-6a2b9e7d4c31 --by Ana --why "called about a fee"`,
    )
    .action((tenantId: string, { facility, json = false, by, why }: ShowOptions) =>
      run(async (ctx, terminal) => {
        const [only] = facility === undefined ? [] : await findFacilities(ctx.db, facility);
        const shown = await showTenant(
          ctx,
          { by, why, facilityIds: only ? [only.id] : null },
          tenantId,
        ).catch(toFault);
        if (json) terminal.line(JSON.stringify(shown));
        else for (const line of linesOf(shown)) terminal.line(line);
        return exitCodes.DONE;
      }),
    );
}

function waitWords({
  date,
  reason,
}: NonNullable<ShownTenant['ledgers'][number]['waitsForSettlement']>): string {
  return `until a bank payment has settled, about ${formatDate(date)}, because ${gateWaitReasons[reason]}`;
}

function linesOf({ ledgers, methods, entries, ...tenant }: ShownTenant): string[] {
  const { street1, street2, city, region, postalCode } = tenant.address;
  const described = (id: string | null) =>
    methods.find(({ methodId }) => methodId === id)?.description ?? 'off';
  const rentals = ledgers.flatMap((ledger) => [
    `\nUnit ${ledger.unitName}  ${ledger.ledgerId}`,
    `  Balance ${formatMoney(ledger.balance)}, paid through ${formatDate(ledger.paidThrough)}, ` +
      `${ledger.daysPastDue} days past due${ledger.isLockedOut ? ', locked out' : ''}` +
      (ledger.overlockedOn === null ? '' : `, by hand since ${formatDate(ledger.overlockedOn)}`) +
      (ledger.hold === null
        ? ''
        : `, on hold${ledger.hold.until === null ? '' : ` until ${formatDate(ledger.hold.until)}`}`) +
      (ledger.waitsForSettlement === null ? '' : ` ${waitWords(ledger.waitsForSettlement)}`),
    `  Rate ${formatMoney(ledger.rentalRate)}, since ${formatDate(ledger.movedInOn)}` +
      `${ledger.movedOutOn === null ? '' : ` until ${formatDate(ledger.movedOutOn)}`}, ` +
      `autopay ${described(ledger.autopayMethodId)}` +
      (ledger.mandate === null
        ? ''
        : `, agreed to on ${formatDate(ledger.mandate.agreedAt.slice(0, 10))}`),
    ...(ledger.scheduledRate === null
      ? []
      : [
          `  Rate ${formatMoney(ledger.scheduledRate.rate)} from the bill of ${formatDate(ledger.scheduledRate.on)} on`,
        ]),
    ...(ledger.transfer === null
      ? []
      : [`  Moves to unit ${ledger.transfer.unitName} on ${formatDate(ledger.transfer.on)}`]),
    ...tableOf(
      ledger.openCharges.map(({ chargeId, dueOn, description, owed }) => [
        chargeId,
        formatDate(dueOn),
        description,
        formatMoney(owed),
      ]),
    ),
  ]);
  return [
    `${tenant.firstName} ${tenant.lastName}  ${tenant.tenantId}  ${tenant.locationCode}`,
    [tenant.email, formatPhone(tenant.phone ?? 'no phone'), `sign-in: ${tenant.signIn}`].join('  '),
    [street1, street2, `${city}, ${region} ${postalCode}`].filter(Boolean).join(', '),
    ...rentals,
    ...(methods.length === 0 ? [] : ['\nPayment methods']),
    ...tableOf(
      methods.map(({ methodId, description, expiresOn, isRefused }) => [
        methodId,
        description,
        expiresOn ?? '',
        isRefused ? 'refused' : '',
      ]),
    ),
    ...(entries.length === 0 ? [] : ['\nLast entries']),
    ...tableOf(
      entries.map(({ entryId, postedOn, unitName, kind, description, receiptNumber, amount }) => [
        entryId,
        formatDate(postedOn),
        unitName,
        kind,
        receiptNumber === null ? description : `${description} (receipt ${receiptNumber})`,
        formatMoney(amount),
      ]),
    ),
  ];
}

function tableOf(rows: string[][]): string[] {
  if (rows.length === 0) return [];
  return columnsOf(rows, rows[0]!.length - 1).map((line) => `  ${line}`);
}
