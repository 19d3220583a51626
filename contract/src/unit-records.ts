import { z } from 'zod/mini';
import { id } from './ids.ts';
import { dollars, formatMoney, paymentAmount } from './money.ts';
import { field, staffVerb } from './staff-verb.ts';
import { requiredText } from './text.ts';
import { plainNumber } from './typed.ts';

/** The most units that one call adds. */
const MOST_UNITS = 500;
const NAMES = 'Units must be one such as A101, or a range such as A101-A140, of 500 at most.';
const feet = (label: string) =>
  z
    .int(`${label} must be a whole number of feet.`)
    .check(
      z.gte(1, `${label} must be 1 to 999 feet.`),
      z.lte(999, `${label} must be 1 to 999 feet.`),
    );
const exampleUnits = { unitIds: ['5e8f1a2b-3c4d-4e5f-8a6b-7c8d9e0f1a2b'], names: ['A101'] };
const unitId = id.check(z.describe('the unit'));

/** The names of `A101` or of `A101-A140`, whose letters and number of digits are alike; or none. */
export function unitNames(text: string): string[] {
  const range = /^(\D*)(\d+) ?- ?(\D*)(\d+)$/.exec(text);
  if (range === null) return /^[^\s-][^-]{0,49}$/.test(text) ? [text] : [];
  const [, letters = '', first = '', otherLetters, last = ''] = range;
  const count = Number(last) - Number(first) + 1;
  const isSame = otherLetters === letters || otherLetters === '';
  if (!isSame || first.length !== last.length || count < 1 || count > MOST_UNITS) return [];
  return Array.from(
    { length: count },
    (_, index) => letters + String(Number(first) + index).padStart(first.length, '0'),
  );
}

/** `units add`: one unit or a range of them, at the facility that the caller works for. */
export const addUnits = staffVerb({
  name: 'units.add',
  title: 'Add units',
  summary: 'Adds a unit or a range of units to a facility',
  role: 'manager',
  isReasonNeeded: true,
  body: z.object({
    units: field(
      requiredText('Units').check(
        z.overwrite(plainNumber),
        z.refine((text) => unitNames(text).length > 0, NAMES),
      ),
      { title: 'Units', description: 'One such as A101, or a range such as A101-A140.' },
    ),
    typeName: field(requiredText('Type', 50), {
      title: 'Type',
      description: 'Such as Covered RV.',
    }),
    widthFeet: field(feet('Width'), { title: 'Width in feet' }),
    lengthFeet: field(feet('Length'), { title: 'Length in feet' }),
    streetRate: field(z.optional(paymentAmount), {
      title: 'Street rate a month',
      description: 'What a move-in is offered for.',
      unit: 'dollars',
    }),
  }),
  reply: z.object({ unitIds: z.array(id), names: z.array(z.string()) }),
  example: exampleUnits,
  says: ({ names }, isDone) => [
    `${names.length === 1 ? `Unit ${names[0]}` : `${names.length} units, ${names[0]} to ${names.at(-1)},`} ${isDone ? 'can be let' : 'will be added'}.`,
  ],
});

/**
 * `units rename-type`: all units of a type, at the facility that the caller works for, have another
 * one from now on, which may be there already. Tenants read the type of their unit in the portal.
 */
export const renameUnitType = staffVerb({
  name: 'units.renameType',
  title: 'Rename a type of units',
  summary: 'Renames a type of units at a facility',
  role: 'manager',
  isReasonNeeded: true,
  body: z.object({
    typeName: requiredText('Type', 50).check(z.describe('the type as it is now')),
    newName: field(requiredText('New name', 50), { title: 'New name' }),
  }),
  reply: z.object({
    typeName: z.string(),
    newName: z.string(),
    units: z.int(),
    rented: z.int(),
    /** The units that had the new name before. */
    others: z.int(),
  }),
  example: { typeName: 'RV', newName: 'Covered RV', units: 12, rented: 7, others: 0 },
  says: ({ typeName, newName, units, rented, others }, isDone) => [
    `${countOfUnits(units)} of ${typeName} ${isDone ? 'now' : 'will'} ${isDone && units === 1 ? 'has' : 'have'} the type ${newName}.`,
    `Of them rented: ${rented}. Their tenants read “${newName}” in the portal.`,
    ...(others === 0 ? [] : [`${countOfUnits(others)} had this type before: they are one then.`]),
  ],
});

const countOfUnits = (count: number) => (count === 1 ? '1 unit' : `${count} units`);

/** `units rate`: what move-ins into a unit are offered for from now on; rentals keep their rent. */
export const changeStreetRate = staffVerb({
  name: 'units.rate',
  title: 'Change a street rate',
  summary: 'Changes what move-ins into a unit are offered for',
  role: 'manager',
  isReasonNeeded: true,
  body: z.object({
    unitId,
    streetRate: field(paymentAmount, { title: 'Street rate a month', unit: 'dollars' }),
  }),
  reply: z.object({ name: z.string(), from: z.nullable(dollars), to: dollars }),
  example: { name: 'A101', from: null, to: 189 },
  says: ({ name, from, to }) => [
    `A move-in into ${name} is offered for ${formatMoney(to)} a month, ${from === null ? 'in place of the rent of its last rental' : `until now ${formatMoney(from)}`}.`,
    'Who rents it keeps the rent.',
  ],
});

const serviceReply = z.object({ name: z.string() });

/** `units close`: takes a unit out of service, with the reason, which the office shows. */
export const closeUnit = staffVerb({
  name: 'units.close',
  title: 'Take out of service',
  summary: 'Takes a unit out of service, so that it cannot be let',
  role: 'manager',
  isReasonNeeded: 'everywhere',
  body: z.object({ unitId }),
  reply: serviceReply,
  example: { name: 'A101' },
  says: ({ name }, isDone) => [
    `${name} ${isDone ? 'is' : 'will be'} out of service: no move-in and no transfer into it.`,
  ],
});

/** `units open`: a unit that was out of service can be let again. */
export const openUnit = staffVerb({
  name: 'units.open',
  title: 'Put back into service',
  summary: 'Puts a unit back into service',
  role: 'manager',
  isReasonNeeded: false,
  body: z.object({ unitId }),
  reply: serviceReply,
  example: { name: 'A101' },
  says: ({ name }, isDone) => [`${name} can be let ${isDone ? 'again' : 'again then'}.`],
});
