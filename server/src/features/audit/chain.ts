import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { Context } from '#context.ts';
import type { Database } from '#db/database.ts';

/** A place of the chain with the hash that it has there. */
export type Anchor = { position: number; hash: string };

/** How many events the chain holds and where it ends; `fault` is the first thing that is wrong with it, in a sentence. */
export type Verified = { checked: number; waiting: number; end: Anchor; fault: string | null };

const BATCH = 1000;

/**
 * Gives every event that waits its place in the chain. The end goes to the log: whoever changes the whole chain afterwards,
 * with the rights of the database's owner, still differs from what the log says.
 */
export async function chainAuditEvents({ db, log }: Context): Promise<void> {
  for (;;) {
    const { rows } = await sql<{ added: number; position: number; hash: Buffer }>`
      SELECT added, last_position AS position, last_hash AS hash FROM chain_audit_events(${BATCH})`.execute(db);
    const { added, position, hash } = rows[0]!;
    if (added > 0) log.info({ anchor: `${position}:${hash.toString('hex')}` }, 'the audit trail is chained');
    if (added < BATCH) return;
  }
}

/**
 * Reckons the chain anew, from its first event to its end, without the database's own functions (I9). `anchors` are ends that
 * the log told. Finds whatever was changed, removed, put in or moved in it, and where its end was cut off; of events that
 * wait for their places it finds nothing.
 */
export async function verifyAuditTrail(db: Database, anchors: Anchor[] = []): Promise<Verified> {
  if (db.isTransaction) return verifyIn(db, anchors);
  // One moment for all: the job goes on while this reads.
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute((trx) => verifyIn(trx, anchors));
}

async function verifyIn(db: Database, anchors: Anchor[]): Promise<Verified> {
  const { base, end, waiting } = await readChain(db);
  const verified = { checked: 0, waiting, end };
  const known = new Map(anchors.map(({ position, hash }) => [position, hash]));
  let last = base;
  for await (const event of readEvents(db, base.position)) {
    const position = last.position + 1;
    if (event.position !== position)
      return { ...verified, fault: `The event at place ${position} of the chain is missing.` };
    const hash = createHash('sha256').update(last.hash, 'hex').update(event.content).digest('hex');
    if (hash !== event.hash)
      return { ...verified, fault: `The event at place ${position} of the chain is not as it was written.` };
    const told = known.get(position);
    if (told !== undefined && told !== hash)
      return { ...verified, fault: `The chain is not the one that the log tells of at place ${position}.` };
    last = { position, hash };
    verified.checked += 1;
  }
  return { ...verified, fault: faultOfEnd(last, end, anchors) };
}

function faultOfEnd(last: Anchor, end: Anchor, anchors: Anchor[]): string | null {
  const beyond = Math.max(end.position, ...anchors.map(({ position }) => position));
  if (last.position < beyond) return `The event at place ${last.position + 1} of the chain is missing.`;
  if (last.position > end.position) return `The event at place ${end.position + 1} of the chain was put in.`;
  return last.hash === end.hash ? null : `The event at place ${last.position} of the chain is not as it was written.`;
}

async function readChain(db: Database): Promise<{ base: Anchor; end: Anchor; waiting: number }> {
  const { rows } = await sql<{
    basePosition: number;
    baseHash: string;
    position: number;
    hash: string;
    waiting: number;
  }>`
    SELECT base_position AS "basePosition", encode(base_hash, 'hex') AS "baseHash", position, encode(hash, 'hex') AS hash,
      (SELECT count(*) FROM audit_events WHERE position IS NULL) AS waiting
    FROM audit_chain`.execute(db);
  const { basePosition, baseHash, position, hash, waiting } = rows[0]!;
  return { base: { position: basePosition, hash: baseHash }, end: { position, hash }, waiting };
}

type ChainedEvent = { position: number; hash: string; content: string };

/** The events of the chain in its order; what is hashed of each is put together here, as audit_content does it. */
async function* readEvents(db: Database, after: number): AsyncGenerator<ChainedEvent> {
  for (let last = after; ;) {
    const { rows } = await sql<{ position: number; hash: string; parts: (string | null)[] }>`
      SELECT position, encode(hash, 'hex') AS hash, ARRAY[position::text, id::text, extract(epoch FROM at)::text, kind,
        user_id::text, tenant_id::text, facility_id::text, ledger_id::text, encode(account, 'hex'), ip, request_id::text,
        details::text] AS parts
      FROM audit_events WHERE position > ${last} ORDER BY position LIMIT ${BATCH}`.execute(db);
    for (const { position, hash, parts } of rows) {
      yield { position, hash, content: parts.map((part) => part ?? '-').join('|') };
      last = position;
    }
    if (rows.length < BATCH) return;
  }
}
