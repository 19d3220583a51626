import { z } from 'zod/mini';
import { calendarDate, namedDay } from '../calendar-date.ts';
import { id } from '../ids.ts';
import { dollars } from '../money.ts';
import { filterText, listQuery, pageOf, unitParams } from './lists.ts';
import { officeEndpoint } from './office-endpoint.ts';

export const unitStates = ['vacant', 'reserved', 'occupied', 'locked', 'outOfService'] as const;

/**
 * A unit on its facility's today. `vacant` can be let; `reserved`: a rental or transfer begins on a
 * later day; `locked`: occupied, and the gate is suspended by hand or for what is owed;
 * `outOfService`: not occupied, and cannot be let. `rate` is the rent of the present tenant, else
 * the street rate, else the rent of the last tenant.
 */
export const unitRow = z.object({
  id,
  locationCode: z.string(),
  name: z.string(),
  widthFeet: z.int(),
  lengthFeet: z.int(),
  typeName: z.string(),
  state: z.enum(unitStates),
  rate: z.nullable(dollars),
  streetRate: z.nullable(dollars),
  /** Why it is out of service. */
  outOfService: z.nullable(z.string()),
  tenantId: z.nullable(id),
  ledgerId: z.nullable(id),
  tenantName: z.nullable(z.string()),
  balance: z.nullable(dollars),
  /** The day from which it is free again, or on which the next rental begins. */
  freeFrom: z.nullable(calendarDate),
  nextOn: z.nullable(calendarDate),
});
export type UnitRow = z.infer<typeof unitRow>;

/**
 * GET /office/units. `size` is width by length in feet, such as `12x30`; `freeOn` limits the list
 * to those that can be let from that day on.
 */
export const listUnits = officeEndpoint({
  name: 'listUnits',
  method: 'GET',
  path: '/office/units',
  access: 'staff',
  role: 'clerk',
  shows: 'Units',
  query: z.extend(listQuery(['name', 'vacantFirst', 'size', 'rate']), {
    q: z.optional(filterText),
    state: z.optional(z.enum(unitStates, 'State is none of a unit.')),
    size: z.optional(
      z.string().check(z.regex(/^\d{1,4}x\d{1,4}$/, 'Size must be like 12x30, in feet.')),
    ),
    typeName: z.optional(filterText),
    freeOn: z.optional(namedDay('FreeOn must be like 2026-11-24.')),
  }),
  reply: pageOf(unitRow),
});

/** Another unit of a rental that was transferred. */
const otherUnit = z.nullable(z.object({ id, name: z.string() }));

/**
 * GET /office/units/{unitId}: the unit and who had it, newest first, 100 at most. A rental that was
 * transferred is there with the days in this unit, also where it left it on its first day, and with
 * the unit that it came from and the one that it moved or will move to.
 */
export const getUnit = officeEndpoint({
  name: 'getUnit',
  method: 'GET',
  path: '/office/units/:unitId',
  access: 'staff',
  role: 'clerk',
  shows: 'Unit',
  params: unitParams,
  reply: z.extend(unitRow, {
    history: z.array(
      z.object({
        id,
        tenantId: id,
        tenantName: z.string(),
        fromOn: calendarDate,
        /** The first day that is not theirs; null while it continues. */
        untilOn: z.nullable(calendarDate),
        movedFrom: otherUnit,
        movedTo: otherUnit,
        rate: dollars,
        balance: dollars,
      }),
    ),
  }),
});
