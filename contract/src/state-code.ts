import { z } from 'zod/mini';
import { type StateCode, stateNames } from './states.ts';
import { type Label, requiredMessage } from './text.ts';

/** A state by its code, required. */
export function stateCode(label: Label) {
  return z.enum(Object.keys(stateNames) as [StateCode, ...StateCode[]], requiredMessage(label));
}
