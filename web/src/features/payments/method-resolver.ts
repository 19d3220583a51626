import { cardExpired } from '@gatehouse/contract/payment-methods';
import { standardSchemaResolver } from '@hookform/resolvers/standard-schema';
import type { Resolver } from 'react-hook-form';
import type { SavedMethod } from '#api/autopay-record.ts';
import {
  asOffered,
  type hostedSchema,
  isExpiredCard,
  type MethodForm,
  type methodSchema,
  normalized,
} from './method-form.ts';

/**
 * Checks what is sent, and reports it at the field where it was typed. `today` is the facility's,
 * undefined where the provider's fields have the expiration.
 */
export function resolverOf(
  schemaOf: typeof methodSchema | typeof hostedSchema,
  saved: SavedMethod[],
  today: string | undefined,
): Resolver<MethodForm> {
  return async (typed, context, options) => {
    const values = asOffered(typed, saved);
    const check = standardSchemaResolver(schemaOf(values)) as unknown as Resolver<MethodForm>;
    const { errors } = await check(normalized(values) as MethodForm, context, options);
    if (today !== undefined && isExpiredCard(values, today)) {
      const expired = { type: 'expired', message: cardExpired() };
      errors.creditCard = { ...errors.creditCard, expirationMonth: expired };
    }
    return Object.keys(errors).length > 0 ? { values: {}, errors } : { values, errors: {} };
  };
}
