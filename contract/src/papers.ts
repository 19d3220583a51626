import { z } from 'zod/mini';
import { endpoint, PREFIX } from './endpoint.ts';
import { facilityParams, id } from './ids.ts';
import { tenantPathParams } from './tenants.ts';

/** A PDF as it travels: base64 in JSON, so that no browser opens it as a page of ours. */
export const paper = z.object({
  fileName: z.string(),
  contentType: z.literal('application/pdf'),
  data: z.string(),
});
export type Paper = z.infer<typeof paper>;

const examplePaper: Paper = {
  fileName: 'receipt-1000042.pdf',
  contentType: 'application/pdf',
  data: 'JVBERi0xLjcK',
};

/**
 * GET {prefix}/ledgers/{ledgerId}/receipts/{receiptNumber}, not in the spec: the receipt of one
 * payment.
 */
export const getReceiptPaper = endpoint({
  name: 'getReceiptPaper',
  subject: 'Receipts and statements',
  summary: 'The receipt of a payment as a PDF',
  method: 'GET',
  path: `${PREFIX}/ledgers/:ledgerId/receipts/:receiptNumber`,
  access: 'tenant',
  params: z.extend(facilityParams, { ledgerId: id, receiptNumber: z.string() }),
  reply: z.extend(paper, {}),
  example: examplePaper,
});

/**
 * GET {prefix}/tenants/{tenantId}/receipts/{receiptNumber}, not in the spec: the receipt of one
 * payment of the tenant record, also on a rental that has ended.
 */
export const getTenantReceiptPaper = endpoint({
  name: 'getTenantReceiptPaper',
  subject: 'Receipts and statements',
  summary: 'The receipt of a payment of a tenant record as a PDF',
  method: 'GET',
  path: `${PREFIX}/tenants/:tenantId/receipts/:receiptNumber`,
  access: 'tenant',
  params: z.extend(tenantPathParams, { receiptNumber: z.string() }),
  reply: z.extend(paper, {}),
  example: examplePaper,
});

/** A monthly statement of a tenant record; `month` is `YYYY-MM`, by the facility's calendar. */
export const statement = z.object({ number: z.string(), month: z.string() });
export type Statement = z.infer<typeof statement>;

/** GET {prefix}/tenants/{tenantId}/statements, not in the spec: newest first. */
export const listStatements = endpoint({
  name: 'listStatements',
  subject: 'Receipts and statements',
  summary: 'The monthly statements of a tenant record, newest first',
  method: 'GET',
  path: `${PREFIX}/tenants/:tenantId/statements`,
  access: 'tenant',
  params: tenantPathParams,
  reply: z.array(statement),
  example: [{ number: 'S-500042', month: '2026-10' }],
});

/** GET {prefix}/tenants/{tenantId}/statements/{number}, not in the spec. */
export const getStatementPaper = endpoint({
  name: 'getStatementPaper',
  subject: 'Receipts and statements',
  summary: 'A monthly statement as a PDF',
  method: 'GET',
  path: `${PREFIX}/tenants/:tenantId/statements/:number`,
  access: 'tenant',
  params: z.extend(tenantPathParams, { number: z.string() }),
  reply: paper,
  example: { ...examplePaper, fileName: 'statement-2026-10.pdf' },
});

/**
 * A year of a tenant record with payments in it; `year` is `YYYY`, by the facility's calendar.
 * `isOver`: the year has ended.
 */
export const yearStatement = z.object({ year: z.string(), isOver: z.boolean() });
export type YearStatement = z.infer<typeof yearStatement>;

/** GET {prefix}/tenants/{tenantId}/year-statements, not in the spec: newest first. */
export const listYearStatements = endpoint({
  name: 'listYearStatements',
  subject: 'Receipts and statements',
  summary: 'The years in which a tenant record has payments, newest first',
  method: 'GET',
  path: `${PREFIX}/tenants/:tenantId/year-statements`,
  access: 'tenant',
  params: tenantPathParams,
  reply: z.array(yearStatement),
  example: [{ year: '2026', isOver: false }],
});

/**
 * GET {prefix}/tenants/{tenantId}/year-statements/{year}, not in the spec: every payment of the
 * year, what was taken back of payments, and what they paid, as the books are now.
 */
export const getYearStatementPaper = endpoint({
  name: 'getYearStatementPaper',
  subject: 'Receipts and statements',
  summary: 'What was paid in a calendar year as a PDF',
  method: 'GET',
  path: `${PREFIX}/tenants/:tenantId/year-statements/:year`,
  access: 'tenant',
  params: z.extend(tenantPathParams, { year: z.string() }),
  reply: z.extend(paper, {}),
  example: { ...examplePaper, fileName: 'payments-2026.pdf' },
});
