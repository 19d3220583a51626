import { hashToken } from '@gatehouse/server/src/http/token.ts';
import type { Inputs } from './replay.ts';

/** Below this path is the read without a guard. */
export const UNGUARDED = '/unguarded';

/** What a request brings along, read the same way from the load's calls and in the bare server. */
export function inputsOf(
  tenantId: string,
  headers: Record<string, string | string[] | undefined>,
  body?: { payments: { ledgerId: string; unitId: string }[] },
): Inputs {
  const { ledgerId, unitId } = body?.payments[0] ?? {};
  return {
    tokenHash: hashToken(String(headers.authorization).slice('Bearer '.length)),
    tenantId,
    ...(ledgerId !== undefined && { ledgerId }),
    ...(unitId !== undefined && { unitId }),
    ...(headers['idempotency-key'] !== undefined && {
      idempotencyKey: String(headers['idempotency-key']),
    }),
  };
}
