import { readdir } from 'node:fs/promises';
import { endpoints } from '@gatehouse/contract/endpoints';
import { jsonOf, type Answer, type Call } from '../harness/client.ts';
import { inLanes } from '../harness/lanes.ts';
import { mustBe, mustBeAtLeast, reported, type Proof } from '../harness/proof.ts';
import {
  bodyOf,
  copiedIds,
  guardedNames,
  replaced,
  rows,
  slotsOf,
  type GuardedName,
  type IdName,
  type Row,
  type Slot,
  statusForOwner,
} from './access-matrix.ts';
import { makeSession, type Person } from '../harness/actors.ts';
import { makeDeadTokens } from '../harness/dead-tokens.ts';
import { mustNotBeWritten, takeFootprint } from '../harness/footprint.ts';
import {
  callOf,
  giveSignIn,
  idsOf,
  missingIds,
  openSite,
  recordsOf,
  type Ids,
  type Site,
} from '../harness/site.ts';

const NOT_FOUND = '{"message":"Not found."}';
const SIGNED_OUT = '{"message":"Your session has ended. Please sign in again."}';
const LANES = 8;

/** A cell of the matrix: a request that must be refused so. `text` null: any sentence. */
type Cell = { of: string; call: Call; status: number; text: string | null };

/** T1: another tenant's id at every place of every endpoint. */
export const otherTenantsIds: Proof<{ callers: number }> = {
  name: 'T1',
  title:
    'Every endpoint with dead tokens, and with another tenant’s id at every place that takes one',
  sizes: { small: { callers: 1 }, full: { callers: 4 } },
  async run({ callers }, _seed, stage) {
    await using site = await openSite(stage);
    const { actors, db, simulator } = site;
    const people = [actors.a, actors.d, actors.c, actors.e].slice(0, callers);
    const tokenCells = await cellsOfTokens(site);
    const idCells = people.flatMap((person) => cellsOfIds(site, person));
    const placeCells = people.flatMap((person) => cellsOfPlaces(site, person));
    const before = { rows: await takeFootprint(db.owner), calls: await simulator.calls() };
    const answers: Answer[] = [];
    const held = async (cells: Cell[]) => {
      let count = 0;
      await inLanes(cells.length, LANES, async (index) => {
        const { of, call, status, text } = cells[index]!;
        const answer = await site.send(call);
        answers.push(answer);
        if (answer.status === status && (text === null || answer.text === text)) count += 1;
        else
          stage.say(
            `  ${of}: ${answer.status} ${answer.text.slice(0, 200)} instead of ${status} ${text ?? ''}`,
          );
      });
      return count;
    };
    const heldTokens = await held(tokenCells);
    const heldIds = await held(idCells);
    const heldPlaces = await held(placeCells);
    const written = await mustNotBeWritten(
      'tables that were written',
      db.owner,
      before.rows,
      stage.say,
    );
    const calls = (await simulator.calls()) - before.calls;
    return [
      reported('endpoints of the contract', Object.keys(endpoints).length),
      reported('endpoints that need a session', guardedNames.length),
      mustBe(
        'endpoints that the list, the table and the running server do not all have',
        await countUnlisted(site),
        0,
      ),
      mustBe('ids in bodies that the table does not have', await countUnlistedIds(site), 0),
      reported('places where an id is', guardedNames.flatMap(slotsOf).length),
      mustBe('cells of 8 dead tokens, answered 401 alike', heldTokens, tokenCells.length),
      mustBe('cells of foreign ids, answered as a missing one', heldIds, idCells.length),
      mustBe(
        'cells of other corporations and locations, answered 404 alike',
        heldPlaces,
        placeCells.length,
      ),
      mustBeAtLeast('cells in all', tokenCells.length + idCells.length + placeCells.length, 498),
      mustBe('answers with a text of another tenant’s record', countLeaks(site, answers), 0),
      written,
      mustBe('calls of the gateway', calls, 0),
      // Else a server that refuses everything would pass.
      mustBe(
        'endpoints that answer the owner of the same ids with 200, or 422 where that needs a signature',
        await countOwn(site, stage.say),
        guardedNames.length,
      ),
      mustBe('servers that ended by themselves', site.deaths(), 0),
    ];
  },
};

async function cellsOfTokens(site: Site): Promise<Cell[]> {
  const tokens = Object.entries(await makeDeadTokens(site));
  return guardedNames.flatMap((name) => {
    const ids = ownIds(site.actors.a, name);
    return tokens.map(([state, token]) => ({
      of: `${name}, token ${state}`,
      call: callOf(name, ids, { token, body: bodyOf(name, ids) }),
      status: 401,
      text: SIGNED_OUT,
    }));
  });
}

function ownIds({ records }: Person, name: GuardedName): Ids {
  return idsOf(records[0], rows[name].rental ?? 'owing');
}

/** Each kind of id that is not the caller's, at each place by itself. */
function cellsOfIds(site: Site, person: Person): Cell[] {
  return guardedNames.flatMap((name) => {
    const own = ownIds(person, name);
    return [
      ...slotsOf(name).flatMap((slot) => cellsOfSlot(site, person, name, own, slot)),
      ...cellsOfLists(site, person, name, own),
      ...cellsOfOtherPath(site, person, name),
    ];
  });
}

function cellsOfSlot(
  { actors }: Site,
  person: Person,
  name: GuardedName,
  own: Ids,
  slot: Slot,
): Cell[] {
  const others = [actors.a, actors.b, actors.c, actors.d, actors.e].filter(
    (other) => other !== person,
  );
  const kinds: [string, Partial<Ids>][] = [
    ...others.map(({ email, records }): [string, Ids] => [
      `of ${email}`,
      idsOf(records[0], rows[name].rental),
    ]),
    ...(person === actors.a ? [['own, elsewhere', idsOf(actors.elsewhere)] as [string, Ids]] : []),
    ['missing', missingIds(person.records[0])],
    ...(rows[name].ofPastRentals
      ? []
      : [['moved out', movedOutIds(person)] as [string, Partial<Ids>]]),
    ['nil', nilIds],
  ];
  const isUnitOfPayment =
    slot.names === 'unitId' && slot.where === 'body' && rows[name].wrongUnit === true;
  const refused = isUnitOfPayment
    ? { status: 422, text: '{"message":"The unitId is not that of the rental."}' }
    : { status: 404, text: NOT_FOUND };
  const cells = kinds.flatMap(([kind, ids]) => {
    const value = ids[slot.names];
    // Every tenant of the facility may use its protection plans.
    if (value === undefined || value === own[slot.names]) return [];
    return [
      {
        of: `${name}, ${slot.at} ${kind}`,
        call: callWith(name, person, own, slot, value),
        ...refused,
      },
    ];
  });
  return [
    ...cells,
    ...malformedOf(slot, own).map((value) => malformed(name, person, own, slot, value)),
  ];
}

function callWith(name: GuardedName, { token }: Person, own: Ids, slot: Slot, value: string): Call {
  const body = bodyOf(name, own, slot);
  if (slot.where === 'body')
    return callOf(name, own, { token, body: replaced(body!, slot, value) });
  if (slot.where === 'path') return callOf(name, { ...own, [slot.at]: value }, { token, body });
  const call = callOf(name, own, { token, body });
  return { ...call, path: call.path.replace(/\?.*/, `?${slot.at}=${encodeURIComponent(value)}`) };
}

/**
 * Only a path hides what is malformed: of a query or body a sentence names the field (design
 * section 6).
 */
function malformed(name: GuardedName, person: Person, own: Ids, slot: Slot, value: string): Cell {
  return {
    of: `${name}, ${slot.at} malformed`,
    call: callWith(name, person, own, slot, value),
    ...(slot.where === 'path' ? { status: 404, text: NOT_FOUND } : { status: 422, text: null }),
  };
}

const textIds: IdName[] = ['receiptNumber', 'number', 'sessionId'];

function malformedOf({ names, where }: Slot, own: Ids): string[] {
  if (textIds.includes(names)) return ["' OR '1'='1", '%'];
  return where === 'path'
    ? [
        "' OR 1=1 --",
        `${own[names]},`,
        ...(names.endsWith('Ids') ? [] : [`${own[names]},${own[names]}`]),
      ]
    : ['1', `${own[names]},${own[names]}`];
}

/** The ledger, unit and receipt of a rental that has ended can no longer be reached. */
function movedOutIds({ records: [record] }: Person): Partial<Ids> {
  const { ledgerId, ledgerIds, unitId, receiptNumber } = idsOf(record, 'movedOut');
  return { ledgerId, ledgerIds, unitId, receiptNumber };
}

const NIL = '00000000-0000-0000-0000-000000000000';
const nilIds: Partial<Ids> = {
  tenantId: NIL,
  tenantIds: NIL,
  ledgerId: NIL,
  ledgerIds: NIL,
  unitId: NIL,
  imageId: NIL,
  requestId: NIL,
  passkeyId: NIL,
  sessionId: NIL,
  vehicleId: NIL,
  documentId: NIL,
  planId: NIL,
  cardId: NIL,
  accountId: NIL,
};

/** A list is all or nothing: the caller's id together with another tenant's, in either order. */
function cellsOfLists({ actors }: Site, person: Person, name: GuardedName, own: Ids): Cell[] {
  const { token } = person;
  const others = [actors.a, actors.b, actors.c].filter((other) => other !== person);
  const lists = slotsOf(name).filter(({ names }) => names === 'tenantIds' || names === 'ledgerIds');
  return others.flatMap(({ email, records: [record] }) => {
    const other = idsOf(record);
    const inPath = lists.flatMap(({ at, names }) =>
      [`${own[names]},${other[names]}`, `${other[names]},${own[names]}`].map((value) =>
        callOf(name, { ...own, [at]: value }, { token }),
      ),
    );
    const inBody = [
      rows[name].listWith?.(own, other),
      rows[name].listWith?.(own, { ...other, unitId: own.unitId }),
    ];
    const calls = [
      ...inPath,
      ...inBody
        .filter((body) => body !== undefined)
        .map((body) => callOf(name, own, { token, body })),
    ];
    return calls.map((call) => ({
      of: `${name}, own and of ${email}`,
      call,
      status: 404,
      text: NOT_FOUND,
    }));
  });
}

/**
 * The caller's own record at another facility, under that facility's path, with the session of this
 * one.
 */
function cellsOfOtherPath({ actors }: Site, person: Person, name: GuardedName): Cell[] {
  // Passkeys and sessions are the sign-in's, at every facility.
  if (person !== actors.a || endpoints[name].access !== 'tenant' || slotsOf(name).length === 0)
    return [];
  const ids = idsOf(actors.elsewhere, rows[name].rental);
  const call = callOf(name, ids, { token: person.token, body: bodyOf(name, ids) });
  return [{ of: `${name}, own at the other facility`, call, status: 404, text: NOT_FOUND }];
}

function cellsOfPlaces({ actors }: Site, person: Person): Cell[] {
  const places = [
    { corp: person.records[0].place === actors.abroad ? 'ANCHOR' : 'HARBOR' },
    { locationCode: person.records[0].place === actors.there ? 'TXDFW03' : 'AZPHX01' },
    { locationCode: 'NOWHERE' },
  ];
  return guardedNames
    .filter((name) => endpoints[name].access === 'tenant')
    .flatMap((name) => {
      const own = ownIds(person, name);
      return places.map((place) => ({
        of: `${name} at ${JSON.stringify(place)}`,
        call: callOf(name, { ...own, ...place }, { token: person.token, body: bodyOf(name, own) }),
        status: 404,
        text: NOT_FOUND,
      }));
    });
}

/** No refusal holds any text of any record. */
function countLeaks({ actors }: Site, answers: Answer[]): number {
  const secrets = recordsOf(actors).flatMap((record) => record.secrets);
  return answers.filter(({ text }) => secrets.some((secret) => text.includes(secret.text))).length;
}

/**
 * Whether the same calls would have been answered with ids of one's own. The session's end comes
 * last.
 */
async function countOwn(site: Site, say: (line: string) => void): Promise<number> {
  const { a, here } = site.actors;
  const token = await makeSession(site.db.owner, a.userId, here);
  // The dead tokens took a new password, which removes passkeys and ends sessions.
  await giveSignIn(site, { ...a, token });
  let count = 0;
  for (const name of [...guardedNames.filter((one) => one !== 'logout'), 'logout' as const]) {
    const ids = ownIds(a, name);
    const { status, text } = await site.send(callOf(name, ids, { token, body: bodyOf(name, ids) }));
    if (status === statusForOwner(name)) count += 1;
    else say(`  ${name} of one's own: ${status} ${text}`);
  }
  return count;
}

type Schema = {
  format?: string;
  properties?: Record<string, Schema>;
  items?: Schema;
  anyOf?: Schema[];
  allOf?: Schema[];
};
type Operation = {
  operationId: string;
  requestBody?: { content: { 'application/json': { schema: Schema } } };
};

async function operationsOf(site: Site): Promise<Operation[]> {
  const document = jsonOf(await site.send({ method: 'GET', path: '/openapi.json' })) as {
    paths: Record<string, Record<string, Operation>>; // as OpenAPI has it
  };
  return Object.values(document.paths).flatMap((methods) => Object.values(methods));
}

/**
 * The list of endpoints, the files of the contract, the table and what the server serves must name
 * the same.
 */
async function countUnlisted(site: Site): Promise<number> {
  const served = (await operationsOf(site)).map(({ operationId }) => operationId);
  const listed = Object.keys(endpoints);
  const exported = await exportedEndpoints();
  const all = new Set([...served, ...listed, ...exported]);
  const missing = [...all].filter(
    (name) => !served.includes(name) || !listed.includes(name) || !exported.includes(name),
  );
  return missing.length + guardedNames.filter((name) => !(name in rows)).length;
}

async function exportedEndpoints(): Promise<string[]> {
  const folder = new URL('./', import.meta.resolve('@gatehouse/contract/endpoints'));
  const files = (await readdir(folder)).filter(
    (file) => file.endsWith('.ts') && !file.endsWith('.test.ts'),
  );
  const modules = await Promise.all(
    files.map((file) => import(new URL(file, folder).href) as Promise<Record<string, object>>),
  );
  return modules.flatMap((module) => Object.values(module)).flatMap(nameOfEndpoint);
}

function nameOfEndpoint(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  const isEndpoint = 'method' in value && 'path' in value && 'reply' in value && 'name' in value;
  return isEndpoint ? [String(value.name)] : [];
}

/** Ids that the running server takes in a body and the table does not try. */
async function countUnlistedIds(site: Site): Promise<number> {
  const found = (await operationsOf(site)).flatMap(({ operationId, requestBody }) =>
    idPathsOf(requestBody?.content['application/json'].schema ?? {}).map((at) => ({
      operationId,
      at,
    })),
  );
  return found.filter(({ operationId, at }) => {
    const row: Row | undefined = Object.entries(rows).find(([name]) => name === operationId)?.[1];
    return row?.bodyIds?.[at] === undefined && !copiedIds.includes(at);
  }).length;
}

/** Where in a body an id is, by its format or by its name. */
function idPathsOf(schema: Schema, at: string[] = []): string[] {
  const variants = schema.anyOf ?? schema.allOf;
  if (variants !== undefined) return [...new Set(variants.flatMap((one) => idPathsOf(one, at)))];
  if (schema.items !== undefined) return idPathsOf(schema.items, [...at, '0']);
  if (schema.properties !== undefined)
    return Object.entries(schema.properties).flatMap(([name, inner]) => {
      const inside = idPathsOf(inner, [...at, name]);
      return inside.length > 0 || !/Ids?$/.test(name) ? inside : [[...at, name].join('.')];
    });
  return schema.format === 'uuid' ? [at.join('.')] : [];
}
