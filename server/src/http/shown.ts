import type { OfficeEndpoint } from '@gatehouse/contract/office/office-endpoint';
import { fieldsOf } from '@gatehouse/contract/staff-verb';
import { audit, type AuditedRequest } from '#context/audit.ts';
import type { Context } from '#context/context.ts';
import type { StaffMember } from './staff-guard.ts';

/** Which page of a list is asked for; the location is the event's facility. */
const OF_PAGE = ['after', 'limit', 'sort', 'order', 'locationCode'];
const HOUR_MS = 3_600_000;

type Given = Record<string, string | undefined>;
type Asked = { staff: StaffMember; origin: AuditedRequest; params: Given; query: Given };

/**
 * Notes in the audit trail what a call of the office shows of tenants, before it is answered: who,
 * what, how many rows, by which filter; never the rows, nor a text that was typed. Of what a member
 * sees by one filter in an hour, the first, second, fourth, eighth … page is an event, with the
 * sums until then: a thousand pages are ten events. The hour is counted in this process.
 */
export function notesShown({ clock }: Context, { name, shows, query }: OfficeEndpoint) {
  const filters = query === undefined ? {} : fieldsOf(query);
  let hour = 0;
  const seen = new Map<string, { pages: number; rows: number }>();

  /** The values of choices, days and ids; of another filter that it was there. */
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

/** How many rows a page has; anything else is one. */
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
