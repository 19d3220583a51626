import { z } from 'zod/mini';
import type { Schema } from '@gatehouse/contract/endpoint';

/**
 * The ids in a body that must belong to the caller, by kind; a unit along with a ledger is checked
 * with the ledger.
 */
export type BodyIds = { tenants: string[]; ledgers: string[]; units: string[] };

const kinds: Record<string, keyof BodyIds> = {
  tenantId: 'tenants',
  ledgerId: 'ledgers',
  unitId: 'units',
};
/**
 * Ids that the guard does not check: their handlers look them up among the caller's own or the
 * facility's.
 */
const answeredByHandlers = ['paymentMethodId', 'coverageId', 'vehicleId'];

type Node = {
  format?: string;
  properties?: Record<string, Node>;
  items?: Node;
  anyOf?: Node[];
  allOf?: Node[];
};
type Place = { path: string[]; kind: keyof BodyIds };

/** Matches every item of a list in a path. */
const ITEMS = '*';

/**
 * Finds the ids in a body schema, and returns a function that reads them from a validated body;
 * null for a schema without ids. Throws at the start for an id that is not checked.
 */
export function readerOfBodyIds(name: string, schema: Schema): ((body: unknown) => BodyIds) | null {
  const places = findPlaces(
    z.toJSONSchema(schema, { unrepresentable: 'any', io: 'output' }) as Node,
    [],
    name,
  );
  if (places.length === 0) return null;
  return (body) => {
    const ids: BodyIds = { tenants: [], ledgers: [], units: [] };
    for (const { path, kind } of places) ids[kind].push(...valuesAt(body, path));
    return ids;
  };
}

function findPlaces(node: Node, path: string[], name: string): Place[] {
  const variants = [...(node.anyOf ?? []), ...(node.allOf ?? [])].flatMap((one) =>
    findPlaces(one, path, name),
  );
  const items = node.items === undefined ? [] : findPlaces(node.items, [...path, ITEMS], name);
  const fields = Object.entries(node.properties ?? {}).flatMap(([field, value]) => {
    if (!isId(value)) return findPlaces(value, [...path, field], name);
    if (answeredByHandlers.includes(field)) return [];
    const kind = kinds[field];
    if (kind === undefined) throw new Error(`${name} takes an id ${field} that is not checked`);
    return kind === 'units' && node.properties?.ledgerId !== undefined
      ? []
      : [{ path: [...path, field], kind }];
  });
  return [...variants, ...items, ...fields];
}

function isId(node: Node): boolean {
  return node.format === 'uuid' || (node.anyOf ?? []).some(isId);
}

function valuesAt(value: unknown, [step, ...rest]: string[]): string[] {
  if (step === undefined) return typeof value === 'string' ? [value.toLowerCase()] : [];
  if (step === ITEMS)
    return Array.isArray(value) ? value.flatMap((item) => valuesAt(item, rest)) : [];
  if (typeof value !== 'object' || value === null) return [];
  return valuesAt((value as Record<string, unknown>)[step], rest);
}
