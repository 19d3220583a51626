import { randomUUID } from 'node:crypto';
import { addDays } from '@gatehouse/contract/dates';
import type { Database, DatabaseTransaction } from '@gatehouse/server/src/db/database.ts';
import { hashToken, newToken } from '@gatehouse/server/src/http/token.ts';
import {
  makeCorporation,
  makeFacility,
  makeLedger,
  makePaymentMethod,
  makeTenant,
  postCharges,
  postPastPayments,
  type NewCharge,
} from '@gatehouse/server/src/seeds/builders.ts';
import { openVault, type Vault } from '@gatehouse/server/src/crypto/vault.ts';
import { TEST_DAY, testClock } from '@gatehouse/server/test/test-day.ts';
import { sql } from 'kysely';
import { simulatorToken } from './simulator/instruments.ts';
import { addRows, changeRows } from '@gatehouse/server/test/rows.ts';

export const CORPORATION = 'ANCHOR';
export const LOCATION = 'TXDFW03';

/** The keys of every server of a proof. */
export const keys = { SECRET_KEY: '11'.repeat(32), DATA_KEYS: '07'.repeat(32) };
export const proofVault = openVault([Buffer.from(keys.DATA_KEYS, 'hex')]);

/** A tenant who is signed in. */
export type Payer = {
  email: string;
  tenantId: string;
  token: string;
  rentals: Rental[];
  savedCard: string;
  savedAccount: string;
};
export type Rental = { ledgerId: string; unitId: string; owedCents: number };

export type WorldSize = {
  payers: number;
  /** Rentals of each, or of the payer of this number. */
  rentals: number | ((payer: number) => number);
  /** How many months of each rental are paid, or of the rentals of the payer of this number. */
  paidMonths?: number | ((payer: number) => number);
  /**
   * What each rental owes, in cents, over one rent and one protection plan charge; one that owes
   * nothing has paid both.
   */
  owedCents: (rental: number, payer: number) => number;
};

/** Tenants with debts at one facility, in one transaction. */
export async function makeWorld(
  owner: Database,
  { payers, rentals, paidMonths = 0, owedCents }: WorldSize,
) {
  const made = await owner.transaction().execute(async (trx) => {
    const corporationId = await makeCorporation(trx, { code: CORPORATION });
    const facilityId = await makeFacility(trx, {
      // Amounts are drawn down to a cent.
      least_payment_cents: 1,
      corporation_id: corporationId,
      location_code: LOCATION,
    });
    const list: Payer[] = [];
    let made = 0;
    for (let index = 0; index < payers; index += 1) {
      const email = `payer-${index}@example.com`;
      const tenantId = await makeTenant(trx, { facility_id: facilityId, email });
      const payer: Payer = {
        email,
        tenantId,
        token: await signIn(trx, { corporationId, facilityId, tenantId, email }),
        rentals: [],
        savedCard: await makeSavedMethod(trx, proofVault, tenantId, 'creditCard'),
        savedAccount: await makeSavedMethod(trx, proofVault, tenantId, 'ach'),
      };
      const count = typeof rentals === 'number' ? rentals : rentals(index);
      for (let rental = 0; rental < count; rental += 1) {
        const owed = owedCents(made++, index);
        const months = typeof paidMonths === 'number' ? paidMonths : paidMonths(index);
        const given = { facilityId, tenantId, name: `U${index}-${rental}`, owed, months };
        payer.rentals.push({ ...(await makeRental(trx, given)), owedCents: owed });
      }
      list.push(payer);
    }
    return list;
  });
  await sql`ANALYZE`.execute(owner);
  return made;
}

/**
 * A user without a password, for its hashing takes longer than all else: the session is written
 * directly.
 */
async function signIn(
  trx: DatabaseTransaction,
  {
    corporationId,
    facilityId,
    tenantId,
    email,
  }: { corporationId: string; facilityId: string; tenantId: string; email: string },
): Promise<string> {
  const { id: userId } = await trx
    .insertInto('users')
    .values({ corporation_id: corporationId, email, password_hash: 'none' })
    .returning('id')
    .executeTakeFirstOrThrow();
  await addRows(trx, 'user_tenants', { user_id: userId, tenant_id: tenantId, position: 1 });
  const [token, at] = [newToken(), testClock.now()];
  await addRows(trx, 'sessions', {
    token_hash: hashToken(token),
    user_id: userId,
    facility_id: facilityId,
    created_at: at,
    last_seen_at: at,
  });
  return token;
}

/** A saved card or account with a token that the simulator knows. */
export async function makeSavedMethod(
  trx: DatabaseTransaction,
  vault: Vault,
  tenantId: string,
  type: 'creditCard' | 'ach',
): Promise<string> {
  const id = await makePaymentMethod(trx, vault, { id: randomUUID(), tenant_id: tenantId, type });
  await changeRows(
    trx,
    'payment_methods',
    { gateway_token: vault.seal('gatewayToken', id, simulatorToken(type)) },
    { id },
  );
  return id;
}

/** The period that runs: nothing is due for billing while a proof runs. */
const PERIOD_DAYS = 31;
const RENT_FROM = addDays(TEST_DAY, -3);

type NewRental = {
  facilityId: string;
  tenantId: string;
  name: string;
  owed: number;
  months: number;
};

/** What a rental that owes nothing has paid for the period that runs. */
const PAID = { rent: 20_000, plan: 1500 };

async function makeRental(trx: DatabaseTransaction, given: NewRental) {
  const { facilityId, tenantId, name, owed, months } = given;
  const from = addDays(RENT_FROM, -PERIOD_DAYS * months);
  const { ledgerId, unitId } = await makeLedger(trx, proofVault, {
    tenant_id: tenantId,
    moved_in_on: from,
    unit: { facility_id: facilityId, name },
  });
  const insurance = owed === 0 ? PAID.plan : Math.floor(owed / 4);
  const before = Array.from({ length: months }, (_, month) =>
    rent(addDays(from, month * PERIOD_DAYS), 20_000),
  );
  const running = [
    rent(RENT_FROM, owed === 0 ? PAID.rent : owed - insurance),
    {
      category: 'insurance',
      description: 'Protection plan',
      dueOn: RENT_FROM,
      priceCents: insurance,
    } as const,
  ];
  const charges = [...before, ...running];
  const ids = await postCharges(trx, ledgerId, charges);
  const paid = charges
    .map(({ dueOn, priceCents: cents }, index) => ({ id: ids[index]!, dueOn, cents }))
    .slice(0, owed === 0 ? charges.length : months);
  await postPastPayments(
    trx,
    [...Map.groupBy(paid, ({ dueOn }) => dueOn)].map(([paidOn, due]) => ({
      tenantId,
      ledgerId,
      paidOn,
      charges: due.map(({ id, cents }) => ({ id, cents })),
    })),
  );
  return { ledgerId, unitId };
}

function rent(dueOn: string, priceCents: number): NewCharge {
  return {
    category: 'rent',
    description: 'Rent',
    dueOn,
    periodEnd: addDays(dueOn, PERIOD_DAYS - 1),
    priceCents,
  };
}
