import { z } from 'zod/mini';
import { listAutopays } from './autopay.ts';
import { endpoint, PREFIX } from './endpoint.ts';
import { listFiles } from './esign.ts';
import { getFacility } from './facilities.ts';
import { listGateAccess } from './gate-access.ts';
import { id } from './ids.ts';
import { listLedgerInsuranceStatuses } from './insurance.ts';
import { listLedgers } from './ledgers.ts';
import { getTenant, tenantPathParams } from './tenants.ts';
import { getUnitContents } from './unit-contents.ts';

const contents = z.object({ ledgerId: id, contents: z.string() });

/**
 * GET {prefix}/tenants/{tenantId}/overview, not in the spec: what My Units shows, each part as the
 * spec's call for it answers. `gateAccess` and `insuranceStatuses` are those of the current
 * rentals, and each code that is shown is audited; `unitContents` has no entry for a rental whose
 * contents were never entered. `others` is what names the other records of the sign-in, where it
 * has some. A part that could not be read is left out: its own call says why.
 */
export const getOverview = endpoint({
  name: 'getOverview',
  subject: 'Rentals',
  summary: 'All that My Units shows of a tenant record, in one call',
  method: 'GET',
  path: `${PREFIX}/tenants/:tenantId/overview`,
  access: 'tenant',
  params: tenantPathParams,
  reply: z.object({
    facility: z.optional(getFacility.reply),
    tenant: z.optional(getTenant.reply),
    ledgers: z.optional(listLedgers.reply),
    gateAccess: z.optional(listGateAccess.reply),
    autopays: z.optional(listAutopays.reply),
    files: z.optional(listFiles.reply),
    insuranceStatuses: z.optional(listLedgerInsuranceStatuses.reply),
    unitContents: z.optional(z.array(contents)),
    others: z.optional(z.object({ tenants: z.array(getTenant.reply), ledgers: listLedgers.reply })),
  }),
  example: {
    facility: getFacility.example,
    tenant: getTenant.example,
    ledgers: listLedgers.example,
    gateAccess: listGateAccess.example,
    autopays: listAutopays.example,
    files: listFiles.example,
    insuranceStatuses: listLedgerInsuranceStatuses.example,
    unitContents: [{ ledgerId: listLedgers.example[0]!.id, ...getUnitContents.example }],
    others: { tenants: [getTenant.example], ledgers: listLedgers.example },
  },
});
