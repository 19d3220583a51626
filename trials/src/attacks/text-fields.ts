import type { Endpoint, Schema } from '@gatehouse/contract/endpoint';
import { endpoints, type EndpointName } from '@gatehouse/contract/endpoints';
import { goodLeaf, placesOf, put, type Known } from '../harness/shapes.ts';
import { safeParse, type $ZodType, type $ZodTypes } from 'zod/v4/core';
import type { Ids } from '../harness/site.ts';

/** A place for text in the body of a call, and that body with another text there. */
export type TextField = { name: EndpointName; at: string; with(text: string): unknown };

/**
 * Every place for text in every body that a call takes, whichever of its shapes has it: also those
 * that are ids, dates or one of a list by their shape, and the copies that decide nothing. A new
 * field of the contract is one of them by itself.
 */
export function textFields(ids: Ids): TextField[] {
  const known = {
    ...ids,
    coverageId: ids.planId,
    paymentMethodId: ids.cardId,
    corporationCode: ids.corp,
  };
  return (Object.keys(endpoints) as EndpointName[]).flatMap((name) => {
    const fields = new Map<string, TextField>();
    for (const body of bodiesOf(endpoints[name], known))
      for (const place of placesOf(body))
        if (typeof at(body, place) === 'string')
          fields.set(place.join('.'), {
            name,
            at: place.join('.'),
            with: (text) => put(body, place, text),
          });
    return [...fields.values()];
  });
}

/** Good bodies of a call that have every field of it between them. */
export function bodiesOf({ body }: Endpoint, known: Known): unknown[] {
  if (body === undefined) return [];
  // A union has three shapes at most.
  const full = [0, 1, 2].map((choice) => fill(body, known, choice, ''));
  const bodies = full.flatMap((one) => [
    one,
    ...Object.keys(one as object).map((key) => without(one as object, key)),
  ]);
  const good = bodies.filter((one) => safeParse(body as $ZodType, one).success);
  return [...new Map(good.map((one) => [JSON.stringify(one), one])).values()];
}

/**
 * A value with every field that the shape has; of a union the shape of that number, or the last.
 */
function fill(schema: $ZodType | Schema, known: Known, choice: number, name: string): unknown {
  const { def } = (schema as $ZodTypes)._zod; // every schema of the contract is one of these
  switch (def.type) {
    case 'object':
      return Object.fromEntries(
        Object.entries(def.shape).map(([key, one]) => [key, fill(one, known, choice, key)]),
      );
    case 'array':
      return [fill(def.element, known, choice, name)];
    case 'optional':
    case 'nullable':
      return fill(def.innerType, known, choice, name);
    case 'union': {
      const isCopy = def.options.some((one) => (one as $ZodTypes)._zod.def.type === 'string');
      return fill(
        def.options[isCopy ? 0 : Math.min(choice, def.options.length - 1)]!,
        known,
        choice,
        name,
      );
    }
    case 'enum':
      return Object.values(def.entries)[0];
    case 'literal':
      return def.values[0];
    case 'boolean':
      return true;
    default:
      return goodLeaf(schema, known, name);
  }
}

function without(body: object, key: string): object {
  return Object.fromEntries(Object.entries(body).filter(([name]) => name !== key));
}

function at(value: unknown, place: (string | number)[]): unknown {
  return place.reduce((part, key) => (part as Record<string | number, unknown>)[key], value);
}
