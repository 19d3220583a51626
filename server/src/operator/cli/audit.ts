import { Command, InvalidArgumentError, Option } from 'commander';
import type { Context } from '#context/context.ts';
import { verifyAuditTrail, type Anchor } from '#features/base/audit/chain.ts';
import { ownCommand, type Answer } from './own-command.ts';
import { exitCodes, type Runner } from './runner.ts';

/** `audit verify`: verifies the hash chain of the audit trail (I9). */
export function auditCommand(run: Runner): Command {
  const anchor = new Option(
    '--anchor <place:hash:time>',
    'an end of the chain from the log ("the audit trail is chained"); can be repeated',
  )
    .argParser((text, anchors: Anchor[]) => [...anchors, readAnchor(text)])
    .default([]);
  const verify = ownCommand(
    {
      name: 'verify',
      summary:
        'Verifies the hash chain of the audit trail and prints the first event that was changed.',
      options: [anchor],
      says: `The owner of the database could write a new chain or delete it. To detect that, pass an anchor from a log that is kept
elsewhere. Exits with 3 if an event was changed, or if an anchor's event was deleted after its retention period.`,
      examples: [
        '{} audit verify',
        '{} audit verify --anchor 48211:9f2c…:2026-11-21T12:00:00.000Z',
      ],
    },
    run,
    verifyTrail,
  );
  return new Command('audit').description('The audit trail of accounts.').addCommand(verify);
}

async function verifyTrail({ db }: Context, { anchor }: { anchor: Anchor[] }): Promise<Answer> {
  const verified = await verifyAuditTrail(db, anchor);
  const { checked, waiting, end, forgotten, fault } = verified;
  const lines = [
    fault ?? `${checked} events are as they were written, up to ${end.position}:${end.hash}.`,
  ];
  if (forgotten.length > 0)
    lines.push(
      `Forgotten, and cannot be checked: the events at the places ${forgotten.join(', ')}.`,
    );
  if (waiting > 0) lines.push(`${waiting} of the last minute have no place in the chain yet.`);
  const isWhole = fault === null && forgotten.length === 0;
  return { json: verified, lines, code: isWhole ? exitCodes.DONE : exitCodes.PARKED };
}

function readAnchor(text: string): Anchor {
  const [, position, hash, time] = /^(\d{1,15}):([0-9a-f]{64})(?::(\S+))?$/.exec(text) ?? [];
  const at = time === undefined ? undefined : new Date(time);
  if (position === undefined || hash === undefined || Number.isNaN(at?.getTime()))
    throw new InvalidArgumentError('It must be a place, a hash and a time, as the log has them.');
  return { position: Number(position), hash, ...(at && { at }) };
}
