import type { OfficeEndpoint } from '@gatehouse/contract/office/office-endpoint';
import { fieldsOf } from '@gatehouse/contract/staff-verb';
import { audit, type AuditedRequest } from '#context/audit.ts';
import type { Context } from '#context/context.ts';
import type { StaffMember } from './staff-guard.ts';

/** Fields that select a page of a list, and the location, which is the event's facility. */
const OF_PAGE = ['after', 'limit', 'sort', 'order', 'locationCode'];
const HOUR_MS = 3_600_000;

type Given = Record<string, string | undefined>;
type Asked = { staff: StaffMember; origin: AuditedRequest; params: Given; query: Given };

/**
 * Audits what an office call shows of tenants, before it is answered: who, what, how many rows, by
 * which filter; never the rows nor typed text. Per member, filter and hour the 1st, 2nd, 4th, 8th …
 * page is an event with the totals so far, so that a thousand pages make ten events. Each process
 * counts for itself.
 */
export function notesShown({ clock }: Context, { name, shows, query }: OfficeEndpoint) {
  const filters = query === undefined ? {} : fieldsOf(query);
  let hour = 0;
  const seen = new Map<string, { pages: number; rows: number }>();

  /** The values of choices, days and ids; of any other filter only its name. */
  function filterOf(asked: Given): string[] {
    return Object.entries(asked).flatMap(([key, value]) => {
      if (value === undefined || value === '' || OF_PAGE.includes(key)) return [];
      const { format, enum: choices } = filters[key] ?? {};
      const isTyped = choices === undefined && format !== 'date' && format !== 'uuid';
      return [isTyped ? `${key} typed` : `${key} ${value}`];
    });
  }

  return async (work: Context, { staff, origin, params, query: asked }: Asked, reply: unknown) => {
    const count = rowsIn(reply);
    if (count === 0) return;
    const present = Math.floor(clock.now().getTime() / HOUR_MS);
    if (present !== hour) seen.clear();
    hour = present;
    const { tenantId, ...ids } = params;
    const filter = [...filterOf(asked), ...Object.values(ids)].join(', ');
    const key = JSON.stringify([staff.staffId, tenantId, asked['locationCode'], filter]);
    const before = seen.get(key) ?? { pages: 0, rows: 0 };
    const sums = { pages: before.pages + 1, rows: before.rows + count };
    if (Number.isInteger(Math.log2(sums.pages))) {
      const facilityId = placeOf(staff, asked['locationCode']);
      const event = {
        kind: 'staff_action' as const,
        ...(facilityId !== undefined && { facilityId }),
        ...(tenantId !== undefined && { tenantId }),
        details: {
          verb: 'records.show',
          by: staff.name,
          why: '',
          shows: shows ?? name,
          rows: String(sums.rows),
          pages: String(sums.pages),
          ...(filter !== '' && { filter }),
        },
      };
      await audit(work, work.db, origin, [event]);
    }
    seen.set(key, sums);
  };
}

/** The number of rows of a page; 1 for a single record. */
function rowsIn(reply: unknown): number {
  const { rows } = reply as { rows?: unknown };
  return Array.isArray(rows) ? rows.length : 1;
}

/** The one facility that a call is about; undefined for several. */
function placeOf({ facilities }: StaffMember, locationCode: string | undefined) {
  const places = facilities.filter((one) => locationCode === one.locationCode);
  const [place, ...others] = locationCode === undefined ? facilities : places;
  return others.length === 0 ? place?.id : undefined;
}
