import { userInfo } from 'node:os';
import { formatDate } from '@gatehouse/contract/dates';
import { formatMoney } from '@gatehouse/contract/money';
import {
  changeCode,
  changeRate,
  endHold,
  hold,
  moveIn,
  moveOut,
  overlock,
  quoteMoveIn,
  release,
  transfer,
  transferRent,
} from '@gatehouse/contract/rentals';
import type { VerbReply } from '@gatehouse/contract/staff-verb';
import { Command, InvalidArgumentError } from 'commander';
import { COMMAND } from '#config/command.ts';
import { changeCodeOf, showGateCodeOf, type ShownGateCode } from '#features/gate-access/staff.ts';
import { endHoldOf, holdRentalOf } from '#features/rentals/hold.ts';
import { moveInOf, quoteMoveInOf } from '#features/rentals/move-in.ts';
import { moveOutOf } from '#features/rentals/move-out.ts';
import { overlockUnitOf, releaseUnitOf } from '#features/rentals/overlock.ts';
import { changeRateOf } from '#features/rentals/rate.ts';
import { transferUnitOf } from '#features/rentals/transfer.ts';
import { findFacilities } from './facilities.ts';
import { exitCodes, type Runner } from './runner.ts';
import { addStaffCommand, dollarAmount, recordId, toFault } from './staff-command.ts';

const LEDGER = '3f0c8a52-77f4-4b0e-9a64-0d5e1c2b3a49';
const TENANT = '0d9f2c5e-6a1b-4c3d-8e7f-1a2b3c4d5e6f';

/** `rentals`: move-ins, move-outs and what changes between them. */
export function rentalsCommand(run: Runner): Command {
  const rentals = new Command('rentals').description(
    'Move-ins, move-outs, transfers, rates, locks and holds.',
  );
  addMoveIn(rentals, run);
  addMoveOut(rentals, run);
  addTransfer(rentals, run);
  addRate(rentals, run);
  addLocks(rentals, run);
  addHolds(rentals, run);
  rentals.addCommand(codeCommand(run));
  addChangeCode(rentals, run);
  return rentals;
}

type MoveInOptions = {
  tenant: string;
  unit: string;
  on: string;
  rate?: number;
  plan?: string;
  discount?: string;
  taxed?: boolean;
  schedule?: number;
  gateCode?: string;
};

function addMoveIn(rentals: Command, run: Runner): void {
  const declare = (command: Command) =>
    command
      .requiredOption('--tenant <id>', 'the tenant record, by its id', recordId)
      .requiredOption('--unit <name>', 'the unit, by its name')
      .requiredOption('--on <day>', 'the first day, such as 2026-11-24')
      .option(
        '--rate <dollars>',
        'a month’s rent (default: that of the unit’s last rental)',
        dollarAmount,
      )
      .option('--plan <id>', 'a protection plan', recordId)
      .option('--discount <id>', 'a discount plan', recordId)
      .option('--taxed', 'the facility’s taxes on rent apply')
      .option('--schedule <number>', 'the gate schedule (default: 1, business hours)', wholeNumber)
      .option('--gate-code <code>', 'the gate code (default: a random one)');
  const bodyOf = ({ tenant, plan, discount, schedule, ...rest }: MoveInOptions) => ({
    tenantId: tenant,
    unit: rest.unit,
    on: rest.on,
    rate: rest.rate,
    protectionPlanId: plan,
    discountPlanId: discount,
    isTaxed: rest.taxed,
    gateScheduleId: schedule,
    gateCode: rest.gateCode,
  });
  const lines = ({ charges, total }: VerbReply<typeof moveIn>) => [
    ...charges.map(({ description, amount }) => `${description}: ${formatMoney(amount)}`),
    `In all: ${formatMoney(total)}`,
  ];
  const help = (name: string) =>
    `  ${COMMAND} rentals ${name} --tenant ${TENANT} --unit A101 --on 2026-11-24 --rate 200`;
  addStaffCommand<typeof quoteMoveIn, MoveInOptions>(rentals, run, {
    verb: quoteMoveIn,
    name: 'quote',
    declare,
    bodyOf,
    work: quoteMoveInOf,
    print: lines,
    help: help('quote'),
  });
  addStaffCommand<typeof moveIn, MoveInOptions>(rentals, run, {
    verb: moveIn,
    name: 'move-in',
    declare,
    bodyOf,
    work: moveInOf,
    print: (reply, isPreview) => [
      ...lines(reply),
      `The rental ${reply.ledgers[0]!.ledgerId} of unit ${reply.ledgers[0]!.unitName} ${isPreview ? 'would begin' : 'begins'} on ${formatDate(reply.movedInOn)}.`,
      ...(reply.isInvited ? ['The tenant is mailed how to sign in.'] : []),
    ],
    printSecrets: async (ctx, call, reply) => [
      codeSentence(await showGateCodeOf(ctx, call, reply.ledgers[0]!.ledgerId)),
    ],
    help: help('move-in'),
  });
}

function wholeNumber(text: string): number {
  if (!/^\d{1,4}$/.test(text)) throw new InvalidArgumentError('It must be a whole number.');
  return Number(text);
}

function addMoveOut(rentals: Command, run: Runner): void {
  addStaffCommand<
    typeof moveOut,
    { ledger: string; on?: string; credit?: string; cancel?: boolean }
  >(rentals, run, {
    verb: moveOut,
    name: 'move-out',
    declare: (command) =>
      command
        .requiredOption('--ledger <id>', 'the rental, by its id', recordId)
        .option('--on <day>', 'the first day that is not rented, such as 2026-11-30')
        .option('--credit <refund|keep>', 'what to do with a remaining credit (default: refund)')
        .option('--cancel', 'cancel a planned move-out'),
    bodyOf: ({ ledger, on, credit, cancel }) => ({ ledgerId: ledger, on, credit, cancel }),
    work: moveOutOf,
    print: ({ movedOutOn, isSettled, lines, refunds, byHand, ledgers: [ledger] }, isPreview) => {
      const unit = `unit ${ledger!.unitName}`;
      if (movedOutOn === null)
        return [`The move-out of ${unit} ${isPreview ? 'would be' : 'is'} cancelled.`];
      if (!isSettled)
        return [
          `The rental of ${unit} ${isPreview ? 'would end' : 'ends'} on ${formatDate(movedOutOn)}. It is settled then, or once its bank debits have settled.`,
        ];
      return [
        ...lines.map(({ description, amount }) => `${description}: ${formatMoney(amount)}`),
        `The rental of ${unit} ${isPreview ? 'would end' : 'ended'} on ${formatDate(movedOutOn)} with a balance of ${formatMoney(ledger!.balance)}.`,
        ...refunds.map(refundSentence),
        ...(byHand > 0
          ? [`${formatMoney(byHand)} cannot go back by a gateway: pay it back by check or cash.`]
          : []),
      ];
    },
    help: `  ${COMMAND} rentals move-out --ledger ${LEDGER} --on 2026-11-30 --dry-run
  ${COMMAND} rentals move-out --ledger ${LEDGER} --cancel --why "stays another month"`,
  });
}

function refundSentence({
  receiptNumber,
  amount,
  status,
}: VerbReply<typeof moveOut>['refunds'][number]): string {
  const part = `${formatMoney(amount)} of receipt ${receiptNumber}`;
  if (status === 'failed')
    return `The gateway refused to refund ${part}: pay it back by check or cash.`;
  return status === 'submitted'
    ? `The refund of ${part} is being confirmed.`
    : `${part} goes back.`;
}

function addTransfer(rentals: Command, run: Runner): void {
  addStaffCommand<typeof transfer, TransferOptions>(rentals, run, {
    verb: transfer,
    name: 'transfer',
    declare: (command) =>
      command
        .requiredOption('--ledger <id>', 'the rental, by its id', recordId)
        .option('--unit <name>', 'the other unit, by its name')
        .option('--on <day>', 'the first day in the other unit, today or later')
        .option(
          '--rate <dollars>',
          'a month’s rent from that day on (default: as it is)',
          dollarAmount,
        )
        .option('--cancel', 'cancel a planned transfer'),
    bodyOf: ({ ledger, unit, on, rate, cancel }) => ({ ledgerId: ledger, unit, on, rate, cancel }),
    work: transferUnitOf,
    print: (reply, isPreview) => [
      transferSentence(reply, isPreview),
      ...(reply.rent === null ? [] : [transferRent(reply.rent)]),
      ...(reply.cancelledRate === null
        ? []
        : [
            `The rent of ${formatMoney(reply.cancelledRate)} that came with it ${isPreview ? 'would be' : 'is'} cancelled.`,
          ]),
    ],
    help: `  ${COMMAND} rentals transfer --ledger ${LEDGER} --unit B207 --on 2026-12-01
  ${COMMAND} rentals transfer --ledger ${LEDGER} --cancel`,
  });
}

type TransferOptions = { ledger: string; unit?: string; on?: string; rate?: number; cancel?: true };

function transferSentence(
  { on, fromUnit, toUnit, isDone, isCancelled }: VerbReply<typeof transfer>,
  isPreview: boolean,
): string {
  const day = formatDate(on);
  const would = isPreview ? 'would be' : 'is';
  if (isCancelled)
    return `The transfer of unit ${fromUnit} to unit ${toUnit} on ${day} ${would} cancelled.`;
  return isDone
    ? `The rental of unit ${fromUnit} ${would} in unit ${toUnit} from today.`
    : `Nothing changes until ${day}: then the rental of unit ${fromUnit} ${would} in unit ${toUnit}.`;
}

function addRate(rentals: Command, run: Runner): void {
  addStaffCommand<
    typeof changeRate,
    { ledger: string; amount?: number; on?: string; cancel?: true }
  >(rentals, run, {
    verb: changeRate,
    name: 'rate',
    declare: (command) =>
      command
        .requiredOption('--ledger <id>', 'the rental, by its id', recordId)
        .option('--amount <dollars>', 'the new rent of a month', dollarAmount)
        .option('--on <day>', 'the first day; applies from the first bill due on or after it')
        .option('--cancel', 'cancel a scheduled change'),
    bodyOf: ({ ledger, amount, on, cancel }) => ({ ledgerId: ledger, amount, on, cancel }),
    work: changeRateOf,
    print: (reply, isPreview) => [
      rateSentence(reply, isPreview),
      ...(reply.replaced === undefined
        ? []
        : [
            `The change to ${formatMoney(reply.replaced.to)} on ${formatDate(reply.replaced.on)} ${isPreview ? 'would be' : 'is'} replaced.`,
          ]),
    ],
    help: `  ${COMMAND} rentals rate --ledger ${LEDGER} --amount 215 --on 2027-01-01 --dry-run
  ${COMMAND} rentals rate --ledger ${LEDGER} --cancel`,
  });
}

function rateSentence(
  { from, to, on, firstBill, ledgers: [ledger] }: VerbReply<typeof changeRate>,
  isPreview: boolean,
): string {
  const rent = `The rent of unit ${ledger!.unitName}`;
  if (firstBill === null)
    return `${rent} ${isPreview ? 'would stay' : 'stays'} ${formatMoney(from)}: the change to ${formatMoney(to)} on ${formatDate(on)} ${isPreview ? 'would be' : 'is'} cancelled.`;
  return `${rent} ${isPreview ? 'would change' : 'changes'} from ${formatMoney(from)} to ${formatMoney(to)} with the bill of ${formatDate(firstBill.dueOn)}, ${formatMoney(firstBill.total)} in all.`;
}

function addLocks(rentals: Command, run: Runner): void {
  const declare = (command: Command) =>
    command.requiredOption('--ledger <id>', 'the rental, by its id', recordId);
  const bodyOf = ({ ledger }: { ledger: string }) => ({ ledgerId: ledger });
  const print = (
    { isOverlocked, ledgers: [ledger] }: VerbReply<typeof overlock>,
    isPreview: boolean,
  ) => [
    `Unit ${ledger!.unitName} ${isPreview ? 'would be' : 'is'} ${isOverlocked ? 'locked by hand' : 'released'}.`,
  ];
  const help = (name: string) =>
    `  ${COMMAND} rentals ${name} --ledger ${LEDGER} --why "lien notice"`;
  addStaffCommand<typeof overlock, { ledger: string }>(rentals, run, {
    verb: overlock,
    name: 'overlock',
    declare,
    bodyOf,
    work: overlockUnitOf,
    print,
    help: help('overlock'),
  });
  addStaffCommand<typeof release, { ledger: string }>(rentals, run, {
    verb: release,
    name: 'release',
    declare,
    bodyOf,
    work: releaseUnitOf,
    print,
    help: help('release'),
  });
}

type HoldOptions = { ledger: string; until?: string };

function addHolds(rentals: Command, run: Runner): void {
  const rental = (command: Command) =>
    command.requiredOption('--ledger <id>', 'the rental, by its id', recordId);
  const print = (
    { isOnHold, until, ledgers: [ledger] }: VerbReply<typeof hold>,
    isPreview: boolean,
  ) => [
    `Unit ${ledger!.unitName} ${isPreview ? 'would be' : 'is'} ${isOnHold ? 'on hold' : 'no longer on hold'}` +
      `${until === null ? '' : ` until ${formatDate(until)}`}.`,
  ];
  addStaffCommand<typeof hold, HoldOptions>(rentals, run, {
    verb: hold,
    name: 'hold',
    declare: (command) =>
      rental(command).option(
        '--until <day>',
        'the first day that is not on hold (default: until it is ended)',
      ),
    bodyOf: ({ ledger, until }) => ({ ledgerId: ledger, until }),
    work: holdRentalOf,
    print,
    help: `  ${COMMAND} rentals hold --ledger ${LEDGER} --until 2026-12-15 --why "pays on the 14th"`,
  });
  addStaffCommand<typeof endHold, HoldOptions>(rentals, run, {
    verb: endHold,
    name: 'end-hold',
    declare: rental,
    bodyOf: ({ ledger }) => ({ ledgerId: ledger }),
    work: endHoldOf,
    print,
    help: `  ${COMMAND} rentals end-hold --ledger ${LEDGER} --why "has paid"`,
  });
}

type CodeOptions = { ledger: string; facility?: string; json?: boolean; by: string; why: string };

function codeCommand(run: Runner): Command {
  return new Command('code')
    .description('Shows the gate code of a rental. That it was shown is in the audit trail.')
    .requiredOption('--ledger <id>', 'the rental, by its id', recordId)
    .option('--json', 'print one JSON object')
    .option('--by <name>', 'who looks, for the audit trail', userInfo().username)
    .option('--why <text>', 'why, for the audit trail', '')
    .option('--facility <code>', 'only if it belongs to the facility of this location code')
    .addHelpText('after', `\nExamples:\n  ${COMMAND} rentals code --ledger ${LEDGER} --by Ana`)
    .action(({ ledger, facility, json = false, by, why }: CodeOptions) =>
      run(async (ctx, terminal) => {
        const [only] = facility === undefined ? [] : await findFacilities(ctx.db, facility);
        const call = { by, why, facilityIds: only ? [only.id] : null };
        const shown = await showGateCodeOf(ctx, call, ledger).catch(toFault);
        terminal.line(json ? JSON.stringify(shown) : codeSentence(shown));
        return exitCodes.DONE;
      }),
    );
}

function addChangeCode(rentals: Command, run: Runner): void {
  addStaffCommand<typeof changeCode, { ledger: string; gateCode?: string }>(rentals, run, {
    verb: changeCode,
    name: 'change-code',
    declare: (command) =>
      command
        .requiredOption('--ledger <id>', 'the rental, by its id', recordId)
        .option('--gate-code <code>', 'the new code (default: a random one)'),
    bodyOf: ({ ledger, gateCode }) => ({ ledgerId: ledger, gateCode }),
    work: changeCodeOf,
    print: ({ ledgers: [ledger] }, isPreview) => [
      `The gate code of unit ${ledger!.unitName} ${isPreview ? 'would be' : 'is'} changed. The tenant is mailed, without the code.`,
    ],
    printSecrets: async (ctx, call, reply) => [
      codeSentence(await showGateCodeOf(ctx, call, reply.ledgers[0]!.ledgerId)),
    ],
    help: `  ${COMMAND} rentals change-code --ledger ${LEDGER} --why "bank payment returned"`,
  });
}

function codeSentence({ unitName, gateCode }: ShownGateCode): string {
  return gateCode === null
    ? `Unit ${unitName} has no gate code.`
    : `The gate code of unit ${unitName} is ${gateCode}`;
}
