import { z } from 'zod/mini';
import { type StateCode, stateNames } from './states.ts';

/** A state by its code, required. */
export function stateCode(label: string) {
  return z.enum(Object.keys(stateNames) as [StateCode, ...StateCode[]], `${label} is required.`);
}
