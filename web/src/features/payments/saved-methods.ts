import type { Autopay } from '@gatehouse/contract/autopay';
import { type SavedMethod, savedMethodOf } from '#api/autopay-record.ts';

/**
 * The methods that the tenant's autopay records hold, without cards that have expired `today`, a
 * day of the facility's calendar; what reads the same to the tenant is offered once.
 */
export function savedMethods(autopays: Autopay[], today: string): SavedMethod[] {
  return methodsOf(autopays.filter((record) => !isExpired(record, today)));
}

/** The cards among the tenant's saved methods that have expired `today`, each once. */
export function expiredCards(autopays: Autopay[], today: string): SavedMethod[] {
  return methodsOf(autopays.filter((record) => isExpired(record, today)));
}

function isExpired({ creditCard }: Autopay, today: string): boolean {
  return creditCard !== undefined && creditCard.expirationDate < today.slice(0, 7);
}

function methodsOf(autopays: Autopay[]): SavedMethod[] {
  const methods = autopays.flatMap((record) => savedMethodOf(record) ?? []);
  return [...new Map(methods.map((method) => [method.label + method.detail, method])).values()];
}
