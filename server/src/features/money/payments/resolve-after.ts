import type { Context } from '#context/context.ts';

/**
 * How long after its start an open intent or refund is looked up: a little after the gateway's time
 * is over.
 */
export function resolveAfterSeconds({ gatewayTimeoutMs }: Context): number {
  return Math.ceil(gatewayTimeoutMs / 1000) + 3;
}
