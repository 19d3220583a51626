import { Command, InvalidArgumentError } from 'commander';
import { COMMAND } from '#config/command.ts';
import type { Context } from '#context/context.ts';
import { verifyAuditTrail, type Anchor } from '#features/base/audit/chain.ts';
import { exitCodes, type Runner, type Terminal } from './runner.ts';

type Options = { anchor: Anchor[]; json?: boolean };

/** `audit verify`: verifies the hash chain of the audit trail (I9). */
export function auditCommand(run: Runner): Command {
  const verify = new Command('verify')
    .description(
      'Verifies the hash chain of the audit trail and prints the first event that was changed.',
    )
    .option(
      '--anchor <place:hash:time>',
      'an end of the chain from the log ("the audit trail is chained"); can be repeated',
      (text, anchors: Anchor[]) => [...anchors, readAnchor(text)],
      [],
    )
    .option('--json', 'print one JSON object')
    .addHelpText(
      'after',
      `
The owner of the database could write a new chain or delete it. To detect that, pass an anchor from a log that is kept
elsewhere. Exits with 3 if an event was changed, or if an anchor's event was deleted after its retention period.

Examples:
  ${COMMAND} audit verify
  ${COMMAND} audit verify --anchor 48211:9f2c…:2026-11-21T12:00:00.000Z`,
    )
    .action((options: Options) => run((ctx, terminal) => verifyTrail(ctx, terminal, options)));
  return new Command('audit').description('The audit trail of accounts.').addCommand(verify);
}

async function verifyTrail({ db }: Context, terminal: Terminal, { anchor, json = false }: Options) {
  const verified = await verifyAuditTrail(db, anchor);
  const { checked, waiting, end, forgotten, fault } = verified;
  if (json) terminal.line(JSON.stringify(verified));
  else {
    terminal.line(
      fault ?? `${checked} events are as they were written, up to ${end.position}:${end.hash}.`,
    );
    if (forgotten.length > 0)
      terminal.line(
        `Forgotten, and cannot be checked: the events at the places ${forgotten.join(', ')}.`,
      );
    if (waiting > 0) terminal.line(`${waiting} of the last minute have no place in the chain yet.`);
  }
  return fault === null && forgotten.length === 0 ? exitCodes.DONE : exitCodes.PARKED;
}

function readAnchor(text: string): Anchor {
  const [, position, hash, time] = /^(\d{1,15}):([0-9a-f]{64})(?::(\S+))?$/.exec(text) ?? [];
  const at = time === undefined ? undefined : new Date(time);
  if (position === undefined || hash === undefined || Number.isNaN(at?.getTime()))
    throw new InvalidArgumentError('It must be a place, a hash and a time, as the log has them.');
  return { position: Number(position), hash, ...(at && { at }) };
}
