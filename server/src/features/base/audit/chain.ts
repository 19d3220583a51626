import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { Context } from '#context/context.ts';
import type { Database } from '#db/database.ts';

/** A position in the chain with its hash, and the time of its event where that is known. */
export type Anchor = { position: number; hash: string; at?: Date };

/**
 * The result of a check. `checked` counts the events; `end` is the end of the chain. `forgotten`
 * are the positions of anchors before its beginning, which cannot be checked. `fault` is the first
 * fault, as a sentence.
 */
export type Verified = {
  checked: number;
  waiting: number;
  end: Anchor;
  forgotten: number[];
  fault: string | null;
};

const BATCH = 1000;

/**
 * Appends every waiting event to the chain. The end of the chain is logged: a chain that was
 * rewritten afterwards, even by the database's owner, differs from the log.
 */
export async function chainAuditEvents({ db, log }: Context): Promise<void> {
  for (;;) {
    const { rows } = await sql<{ added: number; position: number; hash: Buffer }>`
      SELECT added, last_position AS position, last_hash AS hash FROM chain_audit_events(${BATCH})`.execute(
      db,
    );
    const { added, position, hash } = rows[0]!;
    if (added > 0) {
      const last = db.selectFrom('audit_events').select('at').where('position', '=', position);
      const { at } = await last.executeTakeFirstOrThrow();
      log.info(
        { anchor: `${position}:${hash.toString('hex')}:${at.toISOString()}` },
        'the audit trail is chained',
      );
    }
    if (added < BATCH) return;
  }
}

/**
 * Recomputes the hashes of the whole chain, without the database's own functions (I9). `anchors`
 * are ends of the chain from the log. Detects events that were changed, removed, inserted or moved,
 * a truncated end, and a beginning that was removed too early. Events that wait for a position are
 * not checked.
 */
export async function verifyAuditTrail(db: Database, anchors: Anchor[] = []): Promise<Verified> {
  if (db.isTransaction) return verifyIn(db, anchors);
  // One snapshot, because the job that appends events may run meanwhile.
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute((trx) => verifyIn(trx, anchors));
}

async function verifyIn(db: Database, anchors: Anchor[]): Promise<Verified> {
  const chain = await readChain(db);
  const { base, end, waiting } = chain;
  const forgotten = anchors
    .map(({ position }) => position)
    .filter((position) => position < base.position);
  const verified = { checked: 0, waiting, end, forgotten };
  const fault = faultOfBeginning(chain, anchors);
  if (fault !== null) return { ...verified, fault };
  const known = new Map(anchors.map(({ position, hash }) => [position, hash]));
  let last = base;
  for await (const event of readEvents(db, base.position)) {
    const position = last.position + 1;
    if (event.position !== position)
      return { ...verified, fault: `The event at place ${position} of the chain is missing.` };
    const hash = createHash('sha256').update(last.hash, 'hex').update(event.content).digest('hex');
    if (hash !== event.hash)
      return {
        ...verified,
        fault: `The event at place ${position} of the chain is not as it was written.`,
      };
    const logged = known.get(position);
    if (logged !== undefined && logged !== hash)
      return { ...verified, fault: `The chain differs from the log at place ${position}.` };
    last = { position, hash };
    verified.checked += 1;
  }
  return { ...verified, fault: faultOfEnd(last, end, anchors) };
}

/**
 * Deleted events cannot be recomputed. A chain that begins after them is accepted only if the trail
 * is older than the retention period, and if every deleted event with a time in the log is.
 */
function faultOfBeginning({ base, keptFrom, begunAt }: Chain, anchors: Anchor[]): string | null {
  if (base.position > 0 && begunAt > keptFrom)
    return `The chain begins after place ${base.position}, though no event is old enough to be forgotten.`;
  const early = anchors.find(
    ({ position, at }) => position <= base.position && at !== undefined && at > keptFrom,
  );
  if (early !== undefined)
    return `The event at place ${early.position} of the chain was forgotten before its time.`;
  const isOther = anchors.some(
    ({ position, hash }) => position === base.position && hash !== base.hash,
  );
  return isOther ? `The chain differs from the log at place ${base.position}.` : null;
}

function faultOfEnd(last: Anchor, end: Anchor, anchors: Anchor[]): string | null {
  const beyond = Math.max(end.position, ...anchors.map(({ position }) => position));
  if (last.position < beyond)
    return `The event at place ${last.position + 1} of the chain is missing.`;
  if (last.position > end.position)
    return `The event at place ${end.position + 1} of the chain was put in.`;
  return last.hash === end.hash
    ? null
    : `The event at place ${last.position} of the chain is not as it was written.`;
}

/**
 * `keptFrom`: events after this time are never deleted (docs/retention.md). `begunAt`: when the
 * tables were made.
 */
type Chain = { base: Anchor; end: Anchor; waiting: number; keptFrom: Date; begunAt: Date };

async function readChain(db: Database): Promise<Chain> {
  const { rows } = await sql<{
    basePosition: number;
    baseHash: string;
    position: number;
    hash: string;
    waiting: number;
    keptFrom: Date;
    begunAt: Date;
  }>`
    SELECT base_position AS "basePosition", encode(base_hash, 'hex') AS "baseHash", position, encode(hash, 'hex') AS hash,
      (SELECT count(*) FROM audit_events WHERE position IS NULL) AS waiting, now() - interval '2 years' AS "keptFrom",
      (SELECT min("timestamp")::timestamptz FROM kysely_migration) AS "begunAt"
    FROM audit_chain`.execute(db);
  const { basePosition, baseHash, position, hash, ...rest } = rows[0]!;
  return { base: { position: basePosition, hash: baseHash }, end: { position, hash }, ...rest };
}

type ChainedEvent = { position: number; hash: string; content: string };

/**
 * The events of the chain in order, with the text that is hashed, put together as audit_content
 * does.
 */
async function* readEvents(db: Database, after: number): AsyncGenerator<ChainedEvent> {
  for (let last = after; ;) {
    const { rows } = await sql<{ position: number; hash: string; parts: (string | null)[] }>`
      SELECT position, encode(hash, 'hex') AS hash, ARRAY[position::text, id::text, extract(epoch FROM at)::text, kind,
        user_id::text, tenant_id::text, facility_id::text, ledger_id::text, encode(account, 'hex'), ip, request_id::text]
        || array_remove(ARRAY[staff_id::text, encode(convert_to(device, 'UTF8'), 'hex')], NULL) || details::text AS parts
      FROM audit_events WHERE position > ${last} ORDER BY position LIMIT ${BATCH}`.execute(db);
    for (const { position, hash, parts } of rows) {
      yield { position, hash, content: parts.map((part) => part ?? '-').join('|') };
      last = position;
    }
    if (rows.length < BATCH) return;
  }
}
