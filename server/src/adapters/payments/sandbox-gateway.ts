import { randomUUID } from 'node:crypto';
import type { Message } from '@gatehouse/language/spanish';
import { sql, type RawBuilder } from 'kysely';
import type { Clock } from '#adapters/clock.ts';
import type { Database } from '#db/database.ts';
import {
  GatewayUnknown,
  MethodDeclined,
  NotSent,
  type ChargeAnswer,
  type ChargeRequest,
  type Declined,
  type GatewayDispute,
  type GatewayPayout,
  type GatewayRefund,
  type Instrument,
  type MethodDetails,
  type PaymentGateway,
  type Selection,
  type Standing,
  type Transaction,
} from './gateway.ts';
import { newDetails, numberOf } from './raw-numbers.ts';

/** The sandbox's special numbers; every other number that the field rules allow is approved. */
export const sandboxNumbers = {
  declined: '4000000000000002',
  stolen: '4000000000009979',
  insufficientFunds: '4000000000009995',
  declinedByAutopay: '4000000000000341',
  noAnswer: '4000000000000119',
  notSent: '4000000000000101',
  returnedAccount: '000111111113',
} as const;

type Behaviour = 'approve' | keyof typeof sandboxNumbers;

/** The portal has their sentences in every language. */
type Known = Declined & { message: Message };

const DECLINED: Known = {
  outcome: 'declined',
  message: 'Your bank declined this card. Please use another card.',
  isHard: false,
};
const INSUFFICIENT_FUNDS: Known = {
  outcome: 'declined',
  message: 'Your card has insufficient funds. Please use another card.',
  isHard: false,
};
const STOLEN: Known = {
  outcome: 'declined',
  message: 'Your card cannot be used any more. Please use another card.',
  isHard: true,
};

const DAY_MS = 24 * 60 * 60 * 1000;
/** A bank debit settles or is returned this long after it was accepted. */
const SETTLES_AFTER_MS = 2 * DAY_MS;
const RETURN_CODE = 'R01';
const PAGE = 1000;

/**
 * The sandbox gateway: its records are the tables of the schema sandbox_gateway, written in
 * transactions of their own. The state of a bank debit depends on the clock only. `secret` is the
 * key of its fingerprints.
 */
export function createSandboxGateway(db: Database, clock: Clock, secret: Buffer): PaymentGateway {
  const lookup = async (reference: string) => {
    const found = await find(db, clock, reference);
    return found === null || found.outcome === 'voided'
      ? ({ outcome: 'notFound' } as const)
      : found;
  };
  const describe = (instrument: Instrument) => detailsOf(db, secret, instrument);
  return {
    patience: { lookups: 1, minutes: 0 },
    leastChargeCents: 1,
    debitBusinessDays: SETTLES_AFTER_MS / DAY_MS,

    async charge(request, signal) {
      const { behaviour, isNew } = await keepCharge(db, clock, request);
      if (behaviour === 'notSent') throw new NotSent('the sandbox does not take this card up');
      if (behaviour === 'noAnswer') await silence(signal);
      return isNew
        ? answerOf(behaviour, request)
        : firstAnswer(await find(db, clock, request.reference));
    },

    lookup,

    async voidReference(reference) {
      await db
        .insertInto('sandbox_gateway.charges')
        .values({
          reference,
          amount_cents: 0,
          type: 'none',
          last_four: '',
          outcome: 'voided',
          created_at: clock.now(),
        })
        .onConflict((conflict) => conflict.column('reference').doNothing())
        .execute();
      return (await find(db, clock, reference)) ?? { outcome: 'voided' };
    },

    async refund({ reference, chargeReference, amountCents }) {
      await sql`
        INSERT INTO sandbox_gateway.refunds (reference, charge_reference, amount_cents, created_at)
        SELECT ${reference}::uuid, c.reference, ${amountCents}::bigint, ${clock.now()}::timestamptz
        FROM sandbox_gateway.charges c
        WHERE c.reference = ${chargeReference}::uuid AND c.outcome IN ('captured', 'accepted')
          AND ${amountCents}::bigint <= c.amount_cents - (
            SELECT coalesce(sum(r.amount_cents), 0) FROM sandbox_gateway.refunds r
            WHERE r.charge_reference = c.reference AND r.outcome = 'succeeded')
          - (SELECT coalesce(sum(d.amount_cents), 0) FROM sandbox_gateway.disputes d
            WHERE d.charge_reference = c.reference AND d.standing IN ('opened', 'lost'))
        ON CONFLICT (reference) DO NOTHING`.execute(db);
      const refund = await db
        .selectFrom('sandbox_gateway.refunds')
        .select('reference')
        .where('reference', '=', reference)
        .executeTakeFirst();
      if (refund === undefined)
        return { outcome: 'failed', message: 'There is not so much left of the payment.' };
      return { outcome: 'succeeded' };
    },

    listTransactions: (from, to) => listTransactions(db, clock, from, to),

    listRefunds: (which) => listRefunds(db, which),

    listDisputes: (which) => listDisputes(db, which),

    listPayouts: (from, to) => listPayouts(db, clock, from, to),

    createCustomer: () => Promise.resolve(null),

    describe,

    async saveMethod(instrument) {
      if ('token' in instrument) return describe(instrument);
      const number = numberOf(instrument);
      const behaviour = behaviourOf(number);
      if (behaviour === 'declined') throw new MethodDeclined(DECLINED.message);
      if (behaviour === 'stolen') throw new MethodDeclined(STOLEN.message);
      const details = { ...newDetails(secret, instrument), token: `sandbox_${randomUUID()}` };
      const { token, lastFour: last_four, funding, fingerprint } = details;
      await db
        .insertInto('sandbox_gateway.methods')
        .values({ token, type: instrument.type, last_four, behaviour, funding, fingerprint })
        .execute();
      return details;
    },
  };
}

const outcomes = { succeeded: 'captured', pending: 'accepted', declined: 'declined' } as const;

const behaviours: Behaviour[] = ['approve', ...(Object.keys(sandboxNumbers) as Behaviour[])];

/**
 * Stores a charge, unless its reference is known or the card is not taken up, in one round trip,
 * also where the behaviour has to be looked up by a token. An unknown token is a declined card.
 */
async function keepCharge(
  db: Database,
  clock: Clock,
  request: ChargeRequest,
): Promise<{ behaviour: Behaviour; isNew: boolean }> {
  const { reference, amountCents, instrument } = request;
  const kept = behaviours.filter((behaviour) => behaviour !== 'notSent');
  const answers = kept.map((behaviour) => answerOf(behaviour, request));
  const { rows } = await sql<{ behaviour: Behaviour; isNew: boolean }>`
    WITH method AS (${methodOf(instrument)}), charge AS (
      INSERT INTO sandbox_gateway.charges (reference, amount_cents, type, last_four, outcome, decline_message,
        return_code, created_at)
      SELECT ${reference}::uuid, ${amountCents}::bigint, ${instrument.type}::text, method.last_four, one.outcome,
        one.message, one.code, ${clock.now()}::timestamptz
      FROM method JOIN unnest(${kept}::text[], ${answers.map(({ outcome }) => outcomes[outcome])}::text[],
        ${answers.map((answer) => (answer.outcome === 'declined' ? answer.message : null))}::text[],
        ${kept.map((one) => (one === 'returnedAccount' ? RETURN_CODE : null))}::text[]
      ) AS one (behaviour, outcome, message, code) ON one.behaviour = method.behaviour
      ON CONFLICT (reference) DO NOTHING RETURNING reference
    )
    SELECT behaviour, EXISTS (SELECT FROM charge) AS "isNew" FROM method`.execute(db);
  return rows[0]!;
}

/** The behaviour of a card or account, as a query of one row. */
function methodOf(instrument: Instrument): RawBuilder<unknown> {
  if ('token' in instrument)
    return sql`SELECT coalesce(m.behaviour, 'declined') AS behaviour, coalesce(m.last_four, '') AS last_four
      FROM (VALUES (${instrument.token}::text, ${instrument.type}::text)) AS asked (token, type)
      LEFT JOIN sandbox_gateway.methods m ON m.token = asked.token AND m.type = asked.type`;
  const number = numberOf(instrument);
  return sql`SELECT ${behaviourOf(number)}::text AS behaviour, ${number.slice(-4)}::text AS last_four`;
}

function findMethod(db: Database, { token, type }: Extract<Instrument, { token: string }>) {
  return db
    .selectFrom('sandbox_gateway.methods')
    .select(['behaviour', 'last_four', 'funding', 'fingerprint'])
    .where('token', '=', token)
    .where('type', '=', type)
    .executeTakeFirst();
}

function behaviourOf(number: string): Behaviour {
  const special = Object.entries(sandboxNumbers).find(([, listed]) => listed === number);
  return special === undefined ? 'approve' : (special[0] as Behaviour);
}

function answerOf(behaviour: Behaviour, { initiator, instrument }: ChargeRequest): ChargeAnswer {
  if (behaviour === 'declined') return DECLINED;
  if (behaviour === 'insufficientFunds') return INSUFFICIENT_FUNDS;
  if (behaviour === 'stolen') return STOLEN;
  if (behaviour === 'declinedByAutopay' && initiator === 'autopay') return DECLINED;
  return { outcome: instrument.type === 'ach' ? 'pending' : 'succeeded' };
}

async function detailsOf(
  db: Database,
  secret: Buffer,
  instrument: Instrument,
): Promise<MethodDetails> {
  if (!('token' in instrument)) return newDetails(secret, instrument);
  const method = await findMethod(db, instrument);
  if (method === undefined) throw new MethodDeclined(DECLINED.message);
  const { last_four: lastFour, funding, fingerprint } = method;
  const brand = instrument.type === 'ach' ? 'Checking' : 'Card';
  const unknown = { expiresOn: null, routingLastFour: null, holderName: null, postalCode: null };
  return { ...unknown, token: instrument.token, brand, lastFour, funding, fingerprint };
}

type Found = Standing | { outcome: 'voided' };

async function find(db: Database, clock: Clock, reference: string): Promise<Found | null> {
  const charge = await db
    .selectFrom('sandbox_gateway.charges')
    .select(['outcome', 'decline_message', 'return_code', 'created_at'])
    .where('reference', '=', reference)
    .executeTakeFirst();
  switch (charge?.outcome) {
    case undefined:
      return null;
    case 'captured':
      return { outcome: 'succeeded' };
    case 'accepted':
      return debitStanding(charge, clock);
    case 'declined':
      return (
        [STOLEN, INSUFFICIENT_FUNDS].find(({ message }) => message === charge.decline_message) ??
        DECLINED
      );
    case 'voided':
      return { outcome: 'voided' };
  }
}

function debitStanding(
  { return_code: code, created_at }: { return_code: string | null; created_at: Date },
  clock: Clock,
): Extract<Standing, { outcome: 'pending' | 'settled' | 'returned' }> {
  if (clock.now().getTime() - created_at.getTime() < SETTLES_AFTER_MS)
    return { outcome: 'pending' };
  return code === null ? { outcome: 'settled' } : { outcome: 'returned', code };
}

/** A repeated charge returns its first answer. */
function firstAnswer(found: Found | null): ChargeAnswer {
  if (found === null || found.outcome === 'voided')
    throw new GatewayUnknown('the reference was voided');
  return found.outcome === 'settled' || found.outcome === 'returned'
    ? { outcome: 'pending' }
    : found;
}

async function* listTransactions(
  db: Database,
  clock: Clock,
  from: Date,
  to: Date,
): AsyncGenerator<Transaction> {
  let after: { created_at: Date; reference: string } | undefined;
  for (;;) {
    const rows = await db
      .selectFrom('sandbox_gateway.charges')
      .select(['reference', 'amount_cents', 'outcome', 'return_code', 'created_at'])
      .where('outcome', 'in', ['captured', 'accepted'])
      .where('created_at', '>=', from)
      .where('created_at', '<', to)
      .$if(after !== undefined, (query) =>
        query.where(
          sql<boolean>`(created_at, reference) > (${after!.created_at}, ${after!.reference}::uuid)`,
        ),
      )
      .orderBy('created_at')
      .orderBy('reference')
      .limit(PAGE)
      .execute();
    for (const row of rows) {
      const standing = row.outcome === 'captured' ? 'succeeded' : debitStanding(row, clock).outcome;
      yield {
        reference: row.reference,
        amountCents: row.amount_cents,
        standing,
        at: row.created_at,
      };
    }
    after = rows.at(-1);
    if (rows.length < PAGE) return;
  }
}

/** The refunds of `which`; one made in the dashboard has only an id of the gateway. */
async function* listRefunds(db: Database, which: Selection): AsyncGenerator<GatewayRefund> {
  for (let after: { created_at: Date; reference: string } | undefined; ;) {
    const rows = await db
      .selectFrom('sandbox_gateway.refunds')
      .selectAll()
      .where(isSelected(which))
      .$if(after !== undefined, (query) =>
        query.where(
          sql<boolean>`(created_at, reference) > (${after!.created_at}, ${after!.reference}::uuid)`,
        ),
      )
      .orderBy('created_at')
      .orderBy('reference')
      .limit(PAGE)
      .execute();
    for (const row of rows)
      yield {
        id: `sandbox_re_${row.reference}`,
        reference: row.is_outside ? null : row.reference,
        chargeReference: row.charge_reference,
        amountCents: row.amount_cents,
        outcome: row.outcome,
        at: row.created_at,
      };
    after = rows.at(-1);
    if (rows.length < PAGE) return;
  }
}

async function* listDisputes(db: Database, which: Selection): AsyncGenerator<GatewayDispute> {
  for (let after: { created_at: Date; id: string } | undefined; ;) {
    const rows = await db
      .selectFrom('sandbox_gateway.disputes')
      .selectAll()
      .where(isSelected(which))
      .$if(after !== undefined, (query) =>
        query.where(sql<boolean>`(created_at, id) > (${after!.created_at}, ${after!.id})`),
      )
      .orderBy('created_at')
      .orderBy('id')
      .limit(PAGE)
      .execute();
    for (const row of rows)
      yield {
        id: row.id,
        chargeReference: row.charge_reference,
        amountCents: row.amount_cents,
        standing: row.standing,
        evidenceDueAt: row.evidence_due_at,
        at: row.created_at,
      };
    after = rows.at(-1);
    if (rows.length < PAGE) return;
  }
}

/** A charge is paid out this many days after the day on which its money was available. */
const PAYOUT_DAYS = 2;

/** The payout day of a charge; the money of a bank debit is available when it has settled. */
const paidOutOn = sql<string>`(created_at AT TIME ZONE 'UTC')::date + ${PAYOUT_DAYS}::integer
  + CASE outcome WHEN 'accepted' THEN ${SETTLES_AFTER_MS / DAY_MS}::integer ELSE 0 END`;

/**
 * One payout a day, at midnight UTC, of the cards captured and the bank debits settled two days
 * before.
 */
async function* listPayouts(
  db: Database,
  clock: Clock,
  from: Date,
  to: Date,
): AsyncGenerator<GatewayPayout> {
  const now = clock.now();
  const dayAfter = (instant: Date) =>
    new Date(instant.getTime() + DAY_MS - 1).toISOString().slice(0, 10);
  const days = await db
    .selectFrom('sandbox_gateway.charges')
    .select(paidOutOn.as('day'))
    .distinct()
    .where(isPaidOut)
    .where(paidOutOn, '>=', dayAfter(from))
    .where(paidOutOn, '<', dayAfter(to < now ? to : now))
    .orderBy('day')
    .execute();
  for (const { day } of days)
    yield {
      id: `sandbox_po_${day}`,
      arrivesOn: day,
      standing: 'paid',
      references: () => listPaidOut(db, day),
    };
}

const isPaidOut = sql<boolean>`outcome IN ('captured', 'accepted') AND return_code IS NULL`;

async function* listPaidOut(db: Database, day: string): AsyncGenerator<string> {
  for (let after: string | undefined; ;) {
    const rows = await db
      .selectFrom('sandbox_gateway.charges')
      .select('reference')
      .where(isPaidOut)
      .where(paidOutOn, '=', day)
      .$if(after !== undefined, (query) => query.where('reference', '>', after!))
      .orderBy('reference')
      .limit(PAGE)
      .execute();
    for (const { reference } of rows) yield reference;
    after = rows.at(-1)?.reference;
    if (rows.length < PAGE) return;
  }
}

function isSelected(which: Selection) {
  return 'from' in which
    ? sql<boolean>`created_at >= ${which.from} AND created_at < ${which.to}`
    : sql<boolean>`charge_reference = ${which.chargeReference}::uuid`;
}

/** Never resolves, like a gateway whose answer is lost; rejects when the caller aborts. */
function silence(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const give = () => reject(new GatewayUnknown('the gateway did not answer in time'));
    if (signal.aborted) give();
    else signal.addEventListener('abort', give, { once: true });
  });
}
