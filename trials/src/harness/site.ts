import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { addDays } from '@gatehouse/contract/dates';
import { pathOf, type Endpoint } from '@gatehouse/contract/endpoint';
import { endpoints, type EndpointName } from '@gatehouse/contract/endpoints';
import { consentText } from '@gatehouse/server/src/features/service/texts/consent-text.ts';
import { appLogOf } from './app-process.ts';
import { jsonOf, openClient, type Answer, type Call, type Client } from './client.ts';
import type { Stage } from './proof.ts';
import { openSystem, type System } from './system.ts';
import { noisePng } from '@gatehouse/server/test/photos.ts';
import { TEST_DAY } from '@gatehouse/server/test/test-day.ts';
import { z } from 'zod/mini';
import {
  makeActors,
  makePasskey,
  makeSession,
  type Actors,
  type Person,
  type Secret,
  type TenantRecord,
} from './actors.ts';

/**
 * What an attack runs on: a system with the actors, and the simulator as the witness of what the
 * gateway was asked.
 */
export type Site = AsyncDisposable &
  Pick<System<Actors>, 'db' | 'simulator' | 'close'> & {
    actors: Actors;
    /** Where each server serves, without a slash at its end. */
    addresses: string[];
    /** The first server's process. */
    pid: number;
    /** Where the servers keep photos. */
    photoFolder: string;
    /** Sends a request as it is, to the first server. */
    send(call: Call): Promise<Answer>;
    /** What the server has written to stdout (its log) and stderr. */
    log(): Promise<string>;
    /** Servers that ended by themselves: must be 0 at the end of every attack. */
    deaths(): number;
  };

/**
 * `env` sets further settings of the server; `servers` is how many serve the database, one where
 * nothing is said.
 */
export type SiteOptions = {
  env?: Record<string, string>;
  servers?: number;
};

/** Starts the system and uploads a photo for every record through the API. */
export async function openSite(
  stage: Stage,
  { env = {}, servers = 1 }: SiteOptions = {},
): Promise<Site> {
  const system = await openSystem(stage, makeActors, {
    servers,
    latencyMs: 0,
    env: { LOG_LEVEL: 'info', ...env },
  });
  const { db, made: actors, simulator, pool, settings } = system;
  const addresses = pool.serving.map(({ address }) => address);
  const client = openClient(addresses[0]!);
  const { a, b, c, d, e, elsewhere, there } = actors;
  for (const person of [a, b, c, d, e]) {
    for (const record of person.records) await keepFiles(client, person.token, record);
    await giveSignIn({ db, send: (call) => client.send(call) }, person);
  }
  const { passkeyId, sessionId } = a.records[0];
  Object.assign(elsewhere, { passkeyId, sessionId });
  await keepFiles(client, await makeSession(db.owner, a.userId, there), elsewhere);
  const close = () => {
    client.close();
    return system.close();
  };
  return {
    db,
    actors,
    simulator,
    addresses,
    pid: pool.serving[0]!.pid,
    photoFolder: join(stage.folder, 'files'),
    send: (call) => client.send(call),
    log: () => readFile(appLogOf(settings), 'utf8').catch(() => ''),
    deaths: () => pool.deaths,
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** The tenant records of all actors. */
export function recordsOf({ a, b, c, d, e, elsewhere }: Actors): TenantRecord[] {
  return [...[a, b, c, d, e].flatMap(({ records }) => records), elsewhere];
}

/** The texts of all records that the person's session does not reach. */
export function secretsOfOthers(actors: Actors, person: Person): Secret[] {
  return recordsOf(actors)
    .filter((record) => !person.records.includes(record))
    .flatMap(({ secrets }) => secrets);
}

/**
 * The ids of a record's one rental, under the names that paths, queries and bodies have for them.
 */
export type Ids = {
  corp: string;
  locationCode: string;
  tenantId: string;
  tenantIds: string;
  ledgerId: string;
  ledgerIds: string;
  unitId: string;
  imageId: string;
  /** Of one that staff replied to. */
  requestId: string;
  passkeyId: string;
  sessionId: string;
  receiptNumber: string;
  /** Of a statement. */
  number: string;
  statementId: string;
  /** Of a payment. */
  year: string;
  /** Of a further vehicle of the rental. */
  vehicleId: string;
  /** Of a document of the rental that everybody has signed. */
  documentId: string;
  /** Of a paper that this vehicle of each current rental has. */
  paperKind: string;
  planId: string;
  cardId: string;
  accountId: string;
  /** What the tenant agrees to for text messages. */
  textConsent: string;
  /** Of a pay link; of none unless the site has made one (`idsWithPayLink`). */
  token: string;
};

const NO_PAY_LINK = `rpt_${'A'.repeat(43)}`;

/** The ids that a call about this rental of the record needs. */
export function idsOf(record: TenantRecord, which: 'paid' | 'owing' | 'movedOut' = 'owing'): Ids {
  const { place, tenantId } = record;
  const { ledgerId, unitId, receiptNumber, paidOn, vehicleId, documentId } = record[which];
  return {
    corp: place.corp,
    locationCode: place.locationCode,
    tenantId,
    tenantIds: tenantId,
    ledgerId,
    ledgerIds: ledgerId,
    unitId,
    imageId: record.imageId,
    requestId: record.requestId,
    passkeyId: record.passkeyId,
    sessionId: record.sessionId,
    receiptNumber,
    number: record.statementNumber,
    statementId: record.statementId,
    year: paidOn.slice(0, 4),
    vehicleId,
    documentId,
    paperKind: 'registration',
    planId: place.planId,
    cardId: record.savedCard,
    accountId: record.savedAccount,
    textConsent: consentText({ ...place.names, phone: record.phone }),
    token: NO_PAY_LINK,
  };
}

/**
 * The path of an endpoint from the server's root, filled from the ids; with its query where it has
 * one.
 */
export function urlOf(name: EndpointName, ids: Ids): string {
  const { path } = endpoints[name];
  const query = Object.fromEntries(queryOf(name).map((at) => [at, ids[at]]));
  return `/api${pathOf(path, ids, query)}`;
}

/** What its query takes: ids only. */
export function queryOf(name: EndpointName): ('ledgerId' | 'vehicleId')[] {
  const { query }: Endpoint = endpoints[name];
  if (query === undefined) return [];
  const { properties = {} } = z.toJSONSchema(query);
  return (['ledgerId', 'vehicleId'] as const).filter((at) => at in properties);
}

/** A call of an endpoint with these ids. */
export function callOf(
  name: EndpointName,
  ids: Ids,
  rest: Omit<Call, 'method' | 'path'> = {},
): Call {
  return { method: endpoints[name].method, path: urlOf(name, ids), ...rest };
}

/** Ids that do not exist. */
export function missingIds(record: TenantRecord): Ids {
  const [tenantId, ledgerId] = [randomUUID(), randomUUID()];
  return {
    ...idsOf(record),
    tenantId,
    tenantIds: tenantId,
    ledgerId,
    ledgerIds: ledgerId,
    unitId: randomUUID(),
    imageId: randomUUID(),
    requestId: randomUUID(),
    passkeyId: randomUUID(),
    sessionId: 'A'.repeat(22),
    receiptNumber: '999999999',
    number: 'S-999999999',
    statementId: randomUUID(),
    vehicleId: randomUUID(),
    documentId: randomUUID(),
    planId: randomUUID(),
    cardId: randomUUID(),
    accountId: randomUUID(),
  };
}

/**
 * Gives the person a passkey, and a session besides the one of its token; their ids go to all
 * records.
 */
export async function giveSignIn(
  { db, send }: { db: Pick<Site['db'], 'owner'>; send: Site['send'] },
  { userId, token, records }: Person,
): Promise<void> {
  const passkeyId = await makePasskey(db.owner, userId);
  await makeSession(db.owner, userId, records[0].place);
  const answer = await send(callOf('listSessions', idsOf(records[0]), { token }));
  const sessions = jsonOf(answer) as { id: string; isCurrent: boolean }[]; // as the endpoint answers
  const { id: sessionId } = sessions.find(({ isCurrent }) => !isCurrent)!;
  for (const record of records) Object.assign(record, { passkeyId, sessionId });
}

async function keepFiles(client: Client, token: string, record: TenantRecord): Promise<void> {
  await keepPhoto(client, token, record);
  for (const which of ['paid', 'owing'] as const) await keepPaper(client, token, record, which);
}

/** The registration of a rental's vehicle, recognised by its file. */
async function keepPaper(
  client: Client,
  token: string,
  record: TenantRecord,
  which: 'paid' | 'owing',
): Promise<void> {
  const ids = idsOf(record, which);
  // In three bytes each, so that base64 of the file contains base64 of the text.
  const text = `${randomUUID()}${randomUUID()}`;
  const bytes = Buffer.from(`%PDF-1.7\n${text}`);
  const body = {
    kind: 'registration',
    vehicleId: ids.vehicleId,
    number: `REG-${ids.ledgerId}`,
    expiresOn: addDays(TEST_DAY, 400),
    fileData: `data:application/pdf;base64,${bytes.toString('base64')}`,
  };
  const kept = await client.send(callOf('fileVehiclePaper', ids, { token, body }));
  if (kept.status !== 200) throw new Error(`a paper of the fixture was refused: ${kept.text}`);
  record.secrets.push({ what: `paper-${which}`, text: Buffer.from(text).toString('base64') });
}

/** A photo of the record, recognised by a piece of what is kept of it. */
async function keepPhoto(client: Client, token: string, record: TenantRecord): Promise<void> {
  const imageData = `data:image/png;base64,${(await noisePng()).toString('base64')}`;
  const ids = idsOf(record);
  const kept = await client.send(
    callOf('uploadImage', ids, { token, body: { imageData, file: 'gate.png' } }),
  );
  if (kept.status !== 200) throw new Error(`a photo of the fixture was refused: ${kept.text}`);
  record.imageId = (jsonOf(kept) as { id: string }).id; // as the endpoint answers
  const shown = await client.send(
    callOf('getImage', { ...ids, imageId: record.imageId }, { token }),
  );
  const { imageData: data } = jsonOf(shown) as { imageData: string };
  record.secrets.push(
    { what: 'photo', text: data.slice(-120, -40) },
    { what: 'image id', text: record.imageId },
  );
}
