import { randomBytes, randomUUID } from 'node:crypto';
import { addDays, calendarDateIn } from '@gatehouse/contract/dates';
import { makeSavedMethod, proofVault } from './world.ts';
import type { Database, DatabaseTransaction } from '@gatehouse/server/src/db/database.ts';
import { insertDocument } from '@gatehouse/server/src/features/service/esign/make.ts';
import type { Texting } from '@gatehouse/server/src/features/service/texts/consent-text.ts';
import { hashToken, newToken } from '@gatehouse/server/src/http/token.ts';
import {
  giveLicense,
  makeAutopay,
  makeCorporation,
  makeFacility,
  makeLedger,
  makeProtectionPlan,
  makeTenant,
  makeUser,
  postCharges,
  postPastPayments,
} from '@gatehouse/server/src/seeds/builders.ts';
import { makeRepliedRequest } from '@gatehouse/server/test/replied-request.ts';
import { fromNow, testClock } from '@gatehouse/server/test/test-day.ts';
import { sql } from 'kysely';
import { addRows, changeRows, getRow } from '@gatehouse/server/test/rows.ts';

/** The password of every actor. */
export const PASSWORD = 'harbor gate 81';
/** The balance of each rental that has one, in cents. */
export const OWED_CENTS = 18_000;

/**
 * A facility that offers text messages, and what belongs to it: `planId` is a protection plan.
 * `names` are those of the consent to texts.
 */
export type Place = {
  names: Omit<Texting, 'phone'>;
  facilityId: string;
  corporationId: string;
  corp: string;
  locationCode: string;
  planId: string;
};

/**
 * `receiptNumber` is of a payment of the past, on the day `paidOn`; `vehicleId` is of a further
 * vehicle.
 */
export type Rental = {
  ledgerId: string;
  unitId: string;
  receiptNumber: string;
  paidOn: string;
  vehicleId: string;
  documentId: string;
};

/** A tenant record with everything that a tenant can have, all of it recognisable. */
export type TenantRecord = {
  place: Place;
  phone: string;
  tenantId: string;
  email: string;
  /** Owes nothing, so that its gate code shows; insured privately, with a vehicle inside. */
  paid: Rental;
  /** Owes OWED_CENTS; has a protection plan and autopay by card. */
  owing: Rental;
  /** Has ended; owes nothing. */
  movedOut: Rental;
  savedCard: string;
  savedAccount: string;
  statementId: string;
  statementNumber: string;
  /** Kept through the API; empty until then. */
  imageId: string;
  /** Of a request that staff replied to. */
  requestId: string;
  /** Of the sign-in of the record; empty until the site gives it some (`giveSignIn`). */
  passkeyId: string;
  sessionId: string;
  /** Texts that occur only in this record's data. */
  secrets: Secret[];
};
export type Secret = { what: string; text: string };

/** A user with a sign-in; `token` is a live session at the place of the first record. */
export type Person = {
  userId: string;
  email: string;
  token: string;
  records: [TenantRecord, ...TenantRecord[]];
};

/**
 * The actors of safety.md section 2. A and B rent at the same facility, C at another of the same
 * corporation, D has two tenant records at the facility of A and B, and E rents from another
 * corporation. A has a second record at C's facility, which A's session cannot reach.
 */
export type Actors = {
  here: Place;
  there: Place;
  abroad: Place;
  a: Person;
  b: Person;
  c: Person;
  d: Person;
  e: Person;
  /** A's record at the other facility. */
  elsewhere: TenantRecord;
};

export async function makeActors(owner: Database): Promise<Actors> {
  const actors = await owner.transaction().execute(async (trx) => {
    const anchor = await makeCorporation(trx, { code: 'ANCHOR' });
    const harbor = await makeCorporation(trx, { code: 'HARBOR', name: 'Harbor Lofts' });
    const here = await makePlace(trx, anchor, 'ANCHOR', 'TXDFW03');
    const there = await makePlace(trx, anchor, 'ANCHOR', 'AZPHX01');
    const abroad = await makePlace(trx, harbor, 'HARBOR', 'NYC01');
    const elsewhere = await makeRecord(trx, there, 'Aaway', 'a@example.com');
    const a = await makePerson(
      trx,
      'a@example.com',
      [await makeRecord(trx, here, 'Ahere', 'a@example.com')],
      elsewhere,
    );
    const b = await makePerson(trx, 'b@example.com', [
      await makeRecord(trx, here, 'Bhere', 'b@example.com'),
    ]);
    const c = await makePerson(trx, 'c@example.com', [
      await makeRecord(trx, there, 'Cthere', 'c@example.com'),
    ]);
    const d = await makePerson(trx, 'd@example.com', [
      await makeRecord(trx, here, 'Done', 'd@example.com'),
      await makeRecord(trx, here, 'Dtwo', 'd@example.com'),
    ]);
    const e = await makePerson(trx, 'e@example.com', [
      await makeRecord(trx, abroad, 'Eabroad', 'e@example.com'),
    ]);
    return { here, there, abroad, a, b, c, d, e, elsewhere };
  });
  await sql`ANALYZE`.execute(owner);
  return actors;
}

/**
 * When a session began and was last used, in minutes from now; the session is at the place. Answers
 * its token.
 */
export async function makeSession(
  db: Database | DatabaseTransaction,
  userId: string,
  place: Place,
  { begunMinutes = 0, seenMinutes = 0 } = {},
): Promise<string> {
  const token = newToken();
  const at = (minutes: number) => fromNow(minutes * 60_000);
  await addRows(db, 'sessions', {
    token_hash: hashToken(token),
    user_id: userId,
    facility_id: place.facilityId,
    created_at: at(begunMinutes),
    last_seen_at: at(seenMinutes),
  });
  return token;
}

/** A passkey of the user, by an authenticator that does not exist. Answers its id. */
export async function makePasskey(db: Database, userId: string): Promise<string> {
  const id = randomUUID();
  await addRows(db, 'passkeys', {
    id,
    user_id: userId,
    credential_id: randomBytes(20),
    public_key: randomBytes(77),
    counter: 0,
    is_synced: true,
    name: 'A phone',
    created_at: testClock.now(),
  });
  return id;
}

const ZONE = 'America/Chicago';

async function makePlace(
  trx: DatabaseTransaction,
  corporationId: string,
  corp: string,
  locationCode: string,
): Promise<Place> {
  const facilityId = await makeFacility(trx, {
    // Amounts are drawn down to a cent.
    least_payment_cents: 1,
    sends_reminders: true,
    sends_texts: true,
    corporation_id: corporationId,
    location_code: locationCode,
  });
  const planId = await makeProtectionPlan(trx, { facility_id: facilityId });
  // Billed and reminded of already: no run changes anything while an attack counts rows.
  const today = calendarDateIn(ZONE, testClock.now());
  for (const run_on of [today, addDays(today, 1)])
    await addRows(trx, 'billing_runs', {
      facility_id: facilityId,
      run_on,
      started_at: testClock.now(),
      finished_at: testClock.now(),
      reminded_at: testClock.now(),
    });
  const names = await trx
    .selectFrom('facilities as f')
    .innerJoin('corporations as o', 'o.id', 'f.corporation_id')
    .select(['o.name as operatorName', 'f.name as facilityName', 'f.phone as facilityPhone'])
    .where('f.id', '=', facilityId)
    .executeTakeFirstOrThrow();
  return { names, facilityId, corporationId, corp, locationCode, planId };
}

async function makePerson(
  trx: DatabaseTransaction,
  email: string,
  records: [TenantRecord, ...TenantRecord[]],
  elsewhere?: TenantRecord,
): Promise<Person> {
  const place = records[0].place;
  const tenantIds = [...records, ...(elsewhere === undefined ? [] : [elsewhere])].map(
    ({ tenantId }) => tenantId,
  );
  const userId = await makeUser(trx, {
    corporationId: place.corporationId,
    email,
    password: PASSWORD,
    tenantIds,
  });
  return { userId, email, token: await makeSession(trx, userId, place), records };
}

/** The name is part of each text of the record, and of no other record's texts. */
async function makeRecord(
  trx: DatabaseTransaction,
  place: Place,
  name: string,
  email: string,
): Promise<TenantRecord> {
  const secrets: Secret[] = [];
  const secret = (what: string, text = `${what}-of-${name}`) => {
    secrets.push({ what, text });
    return text;
  };
  const phone = secret('phone', `817${digitsOf(name, 7)}`);
  const tenantId = await makeTenant(trx, {
    facility_id: place.facilityId,
    email,
    phone,
    first_name: secret('first'),
    last_name: secret('last'),
    street1: secret('street'),
    alternate_first_name: secret('alternate-first'),
    alternate_last_name: secret('alternate-last'),
    alternate_email: secret('alternate-mail', `alternate-of-${name}@example.com`.toLowerCase()),
    alternate_phone: secret('alternate-phone', `469${digitsOf(`${name}2`, 7)}`),
  });
  const license = `DL${digitsOf(name, 6)}`;
  await giveLicense(trx, proofVault, tenantId, `${license}X${name.slice(0, 3)}`);
  secrets.push(
    { what: 'license', text: license },
    { what: 'license’s end', text: `*X${name.slice(0, 3)}` },
  );
  const savedCard = await makeSavedMethod(trx, proofVault, tenantId, 'creditCard');
  const savedAccount = await makeSavedMethod(trx, proofVault, tenantId, 'ach');
  const methods = { holder_name: secret('holder'), street_address: secret('holder-street') };
  await changeRows(trx, 'payment_methods', methods, { id: savedCard });

  const rental = (which: string, movedOut = false) =>
    makeRental(trx, { place, tenantId, which, secret, movedOut });
  const [paid, owing, movedOut] = [
    await rental('paid'),
    await rental('owing'),
    await rental('gone', true),
  ];
  await postCharges(trx, owing.ledgerId, [rentOf(OWED_CENTS, -5)]);
  await makeAutopay(trx, owing.ledgerId, savedCard, testClock.now());
  await addRows(trx, 'ledger_protection_plans', {
    ledger_id: owing.ledgerId,
    protection_plan_id: place.planId,
    starts_on: '2025-01-01',
    created_at: testClock.now(),
  });
  await addRows(trx, 'private_policies', {
    ledger_id: paid.ledgerId,
    company: secret('insurer'),
    policy_number: secret('policy'),
    coverage_cents: 500_000,
    starts_on: '2025-01-01',
    created_at: testClock.now(),
  });
  const statement = await trx
    .insertInto('statements')
    .values({
      tenant_id: tenantId,
      month: '2026-10',
      first_on: null,
      last_on: null,
      created_at: testClock.now(),
      entries_through: 0,
      ledger_ids: [],
      follows: null,
    })
    .returning(['id', 'number'])
    .executeTakeFirstOrThrow();
  const settled = { beforeCents: 0, lines: [], balanceCents: 0, refundedCents: 0, byHandCents: 0 };
  await addRows(trx, 'move_outs', {
    ledger_id: movedOut.ledgerId,
    credit: 'keep',
    planned_at: testClock.now(),
    settled_at: testClock.now(),
    statement: JSON.stringify(settled),
  });
  const requestId = await makeRepliedRequest(
    trx,
    { facility_id: place.facilityId, tenant_id: tenantId, created_at: testClock.now() },
    { name: secret('requester'), reply: secret('reply') },
  );
  for (const { ledgerId, unitId } of [paid, owing, movedOut])
    secrets.push({ what: 'ledger id', text: ledgerId }, { what: 'unit id', text: unitId });
  secrets.push(
    { what: 'tenant id', text: tenantId },
    { what: 'saved card id', text: savedCard },
    { what: 'saved account id', text: savedAccount },
    { what: 'statement', text: statement.number },
  );
  return {
    place,
    tenantId,
    email,
    phone,
    paid,
    owing,
    movedOut,
    savedCard,
    savedAccount,
    statementId: statement.id,
    statementNumber: statement.number,
    imageId: '',
    requestId,
    passkeyId: '',
    sessionId: '',
    secrets,
  };
}

type NewRental = {
  place: Place;
  tenantId: string;
  which: string;
  secret: (what: string, text?: string) => string;
  movedOut: boolean;
};

/** A rental with a bill that was paid. */
/** A document that its tenant has signed here, and of which no copy is made yet. */
async function makeSigned(
  trx: DatabaseTransaction,
  facilityId: string,
  ledgerId: string,
  text: string,
): Promise<string> {
  const at = testClock.now();
  const name = `Form of ${ledgerId}`;
  const body = `${text}\n\n{signature}`;
  const { id } = await trx
    .insertInto('document_forms')
    .values({
      facility_id: facilityId,
      name,
      body,
      is_at_move_in: false,
      created_at: at,
      by_name: 'Ana',
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const form = { id, name, body, pages: null, second: null };
  const { documentId } = await insertDocument(trx, { ledgerId, form, now: at, by: 'Ana' });
  await changeRows(
    trx,
    'document_signers',
    { linked_at: at, consented_at: at, consent: 'yes', signed_at: at, signed_name: 'Signer' },
    { document_id: documentId },
  );
  await changeRows(trx, 'esign_documents', { envelope_status_id: 2 }, { id: documentId });
  return documentId;
}

async function makeRental(trx: DatabaseTransaction, given: NewRental): Promise<Rental> {
  const { place, tenantId, which, secret, movedOut } = given;
  const today = calendarDateIn(ZONE, testClock.now());
  const rental = await makeLedger(trx, proofVault, {
    tenant_id: tenantId,
    moved_in_on: addDays(today, -65),
    ...(movedOut && { moved_out_on: addDays(today, -1) }),
    unit: { facility_id: place.facilityId, name: secret(`unit-${which}`) },
  });
  const code = secret(`code-${which}`, `${digitsOf(rental.ledgerId, 6)}#`);
  await changeRows(
    trx,
    'gate_codes',
    { access_code: proofVault.seal('gateCode', rental.ledgerId, code) },
    { ledger_id: rental.ledgerId },
  );
  const [bill] = await postCharges(trx, rental.ledgerId, [rentOf(20_000, -35)]);
  const paidOn = addDays(today, -34);
  await postPastPayments(trx, [
    {
      tenantId,
      ledgerId: rental.ledgerId,
      paidOn,
      charges: [{ id: bill!, cents: 20_000 }],
    },
  ]);
  const { receipt_number: receiptNumber } = await getRow(trx, 'payments', 'receipt_number', {
    ledger_id: rental.ledgerId,
  });
  const { ledgerId } = rental;
  const vehicle = {
    license_plate: secret(`plate-${which}`),
    description: secret(`vehicle-${which}`),
  };
  await addRows(trx, 'vehicles', { ledger_id: ledgerId, ...vehicle });
  const { id: vehicleId } = await trx
    .insertInto('further_vehicles')
    .values({
      ledger_id: ledgerId,
      contents: `boat:${secret(`hin-${which}`)}`,
      license_plate: secret(`further-plate-${which}`),
      description: secret(`further-vehicle-${which}`),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const contents = `vehicle:${secret(`vin-${which}`)}`;
  await addRows(trx, 'unit_contents', { ledger_id: ledgerId, contents });
  const document = {
    ledger_id: ledgerId,
    form_name: secret(`form-${which}`),
    envelope_status_id: 1,
  };
  await addRows(trx, 'esign_documents', document);
  secret('receipt', receiptNumber);
  const documentId = await makeSigned(trx, place.facilityId, ledgerId, secret(`signed-${which}`));
  return { ...rental, receiptNumber, paidOn, vehicleId, documentId };
}

/** Rent that fell due this many days from today. */
function rentOf(priceCents: number, days: number) {
  const dueOn = addDays(calendarDateIn(ZONE, testClock.now()), days);
  return {
    category: 'rent' as const,
    description: 'Rent',
    dueOn,
    periodEnd: addDays(dueOn, 29),
    priceCents,
  };
}

/** Digits that are derived from a text and almost always differ between texts. */
function digitsOf(text: string, count: number): string {
  let number = 7;
  for (const letter of text) number = (number * 131 + letter.codePointAt(0)!) % 9_999_991;
  return String(1_000_000 + (number % 8_999_999)).slice(0, count);
}
