import type { Proof } from '@gatehouse/proof/src/proof.ts';
import { t1 } from './t01.ts';

/** Every attack, one a threat of rules.md, in the order of their numbers. */
export const attacks: Proof[] = [t1];
