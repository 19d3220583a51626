import { randomUUID } from 'node:crypto';
import type { Database } from '#db/database.ts';
import {
  GatewayUnknown,
  MethodDeclined,
  type ChargeAnswer,
  type ChargeRequest,
  type NewInstrument,
  type PaymentGateway,
} from './gateway.ts';

/** The sandbox's special numbers (design section 4); every other number that the field rules allow is approved. */
export const sandboxNumbers = {
  declined: '4000000000000002',
  insufficientFunds: '4000000000009995',
  declinedByAutopay: '4000000000000341',
  noAnswer: '4000000000000119',
  returnedAccount: '000111111113',
} as const;

type Behaviour = 'approve' | keyof typeof sandboxNumbers;

const DECLINED = 'Your card was declined. Please use another card.';
const INSUFFICIENT_FUNDS = 'Your card has insufficient funds. Please use another card.';

/** The sandbox gateway: its books are the tables of the schema sandbox_gateway, written in transactions of their own. */
export function createSandboxGateway(db: Database): PaymentGateway {
  return {
    async charge(request, signal) {
      const { behaviour, lastFour } = await identify(db, request);
      const decline = declineOf(behaviour, request);
      const outcome = decline !== null ? 'declined' : request.instrument.type === 'ach' ? 'accepted' : 'captured';
      await db
        .insertInto('sandbox_gateway.charges')
        .values({
          reference: request.reference,
          amount_cents: request.amountCents,
          type: request.instrument.type,
          last_four: lastFour,
          outcome,
          decline_message: decline,
        })
        .onConflict((conflict) => conflict.column('reference').doNothing())
        .execute();
      if (behaviour === 'noAnswer') await silence(signal);
      const answer = await find(db, request.reference);
      if (answer === null || answer.outcome === 'voided') throw new GatewayUnknown('the reference was voided');
      return answer;
    },

    async lookup(reference) {
      const answer = await find(db, reference);
      return answer === null || answer.outcome === 'voided' ? { outcome: 'notFound' } : answer;
    },

    async voidReference(reference) {
      await db
        .insertInto('sandbox_gateway.charges')
        .values({ reference, amount_cents: 0, type: 'none', last_four: '', outcome: 'voided', decline_message: null })
        .onConflict((conflict) => conflict.column('reference').doNothing())
        .execute();
      return (await find(db, reference)) ?? { outcome: 'voided' };
    },

    async saveMethod(instrument) {
      const behaviour = behaviourOf(numberOf(instrument));
      if (behaviour === 'declined') throw new MethodDeclined(DECLINED);
      const token = `sandbox_${randomUUID()}`;
      await db
        .insertInto('sandbox_gateway.methods')
        .values({ token, type: instrument.type, last_four: numberOf(instrument).slice(-4), behaviour })
        .execute();
      return { token };
    },
  };
}

async function identify(
  db: Database,
  { instrument }: ChargeRequest,
): Promise<{ behaviour: Behaviour; lastFour: string }> {
  if (!('token' in instrument)) {
    const number = numberOf(instrument);
    return { behaviour: behaviourOf(number), lastFour: number.slice(-4) };
  }
  const method = await db
    .selectFrom('sandbox_gateway.methods')
    .select(['behaviour', 'last_four'])
    .where('token', '=', instrument.token)
    .where('type', '=', instrument.type)
    .executeTakeFirst();
  if (method === undefined) return { behaviour: 'declined', lastFour: '' };
  return { behaviour: method.behaviour as Behaviour, lastFour: method.last_four };
}

function numberOf(instrument: NewInstrument): string {
  return instrument.type === 'ach' ? instrument.account.accountNumber : instrument.card.cardNumber;
}

function behaviourOf(number: string): Behaviour {
  const special = Object.entries(sandboxNumbers).find(([, listed]) => listed === number);
  return special === undefined ? 'approve' : (special[0] as Behaviour);
}

function declineOf(behaviour: Behaviour, { initiator }: ChargeRequest): string | null {
  if (behaviour === 'declined') return DECLINED;
  if (behaviour === 'insufficientFunds') return INSUFFICIENT_FUNDS;
  if (behaviour === 'declinedByAutopay' && initiator === 'autopay') return DECLINED;
  return null;
}

async function find(db: Database, reference: string): Promise<ChargeAnswer | { outcome: 'voided' } | null> {
  const charge = await db
    .selectFrom('sandbox_gateway.charges')
    .select(['outcome', 'decline_message'])
    .where('reference', '=', reference)
    .executeTakeFirst();
  switch (charge?.outcome) {
    case undefined:
      return null;
    case 'captured':
      return { outcome: 'succeeded' };
    case 'accepted':
      return { outcome: 'pending' };
    case 'declined':
      return { outcome: 'declined', message: charge.decline_message ?? DECLINED };
    case 'voided':
      return { outcome: 'voided' };
  }
}

/** Never answers, as a gateway whose answer is lost; ends when the caller's patience does. */
function silence(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const give = () => reject(new GatewayUnknown('the gateway did not answer in time'));
    if (signal.aborted) give();
    else signal.addEventListener('abort', give, { once: true });
  });
}
