import { Command, InvalidArgumentError } from 'commander';
import { COMMAND } from '#command.ts';
import type { Context } from '#context.ts';
import { verifyAuditTrail, type Anchor } from '#features/audit/chain.ts';
import { exitCodes, type Runner, type Terminal } from './runner.ts';

type Options = { anchor: Anchor[]; json?: boolean };

/** `audit verify`: reckons the audit trail's chain anew (I9). */
export function auditCommand(run: Runner): Command {
  const verify = new Command('verify')
    .description('Reckons the chain of the audit trail anew and tells the first event that is not as it was written.')
    .option(
      '--anchor <place:hash:time>',
      'an end of the chain that the log told ("the audit trail is chained"); may be given more than once',
      (text, anchors: Anchor[]) => [...anchors, readAnchor(text)],
      [],
    )
    .option('--json', 'print one JSON object')
    .addHelpText(
      'after',
      `
Whoever owns the database can write a whole new chain, or wipe it: give an anchor that the log keeps elsewhere to find that
too. Exits with 3 where something is wrong, or where an anchor is of an event that was forgotten since and nobody can say.

Examples:
  ${COMMAND} audit verify
  ${COMMAND} audit verify --anchor 48211:9f2c…:2026-11-21T12:00:00.000Z`,
    )
    .action((options: Options) => run((ctx, terminal) => verifyTrail(ctx, terminal, options)));
  return new Command('audit').description('The trail of what was done to accounts.').addCommand(verify);
}

async function verifyTrail({ db }: Context, terminal: Terminal, { anchor, json = false }: Options) {
  const verified = await verifyAuditTrail(db, anchor);
  const { checked, waiting, end, forgotten, fault } = verified;
  if (json) terminal.line(JSON.stringify(verified));
  else {
    terminal.line(fault ?? `${checked} events are as they were written, up to ${end.position}:${end.hash}.`);
    if (forgotten.length > 0)
      terminal.line(`Forgotten, and cannot be checked: the events at the places ${forgotten.join(', ')}.`);
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
