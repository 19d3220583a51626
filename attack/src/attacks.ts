import type { Proof } from '@gatehouse/proof/src/proof.ts';
import { t1 } from './t01.ts';
import { t2 } from './t02.ts';
import { t5 } from './t05.ts';
import { t7 } from './t07.ts';

/** Every attack, one a threat of rules.md, in the order of their numbers. */
export const attacks: Proof[] = [t1, t2, t5, t7];
