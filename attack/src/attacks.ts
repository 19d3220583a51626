import type { Proof } from '@gatehouse/proof/src/proof.ts';
import { t1 } from './t01.ts';
import { t2 } from './t02.ts';
import { t4 } from './t04.ts';
import { t5 } from './t05.ts';
import { t6 } from './t06.ts';
import { t7 } from './t07.ts';
import { t8 } from './t08.ts';
import { t11 } from './t11.ts';
import { t12 } from './t12.ts';
import { t13 } from './t13.ts';
import { t14 } from './t14.ts';
import { t15 } from './t15.ts';
import { t16 } from './t16.ts';
import { t17 } from './t17.ts';
import { t18 } from './t18.ts';
import { t19 } from './t19.ts';
import { t20 } from './t20.ts';
import { t21 } from './t21.ts';
import { t22 } from './t22.ts';
import { t24 } from './t24.ts';
import { t25 } from './t25.ts';
import { t26 } from './t26.ts';

/** Every attack, one a threat of rules.md, in the order of their numbers. */
export const attacks: Proof[] = [
  t1,
  t2,
  t4,
  t5,
  t6,
  t7,
  t8,
  t11,
  t12,
  t13,
  t14,
  t15,
  t16,
  t17,
  t18,
  t19,
  t20,
  t21,
  t22,
  t24,
  t25,
  t26,
];

/** Threats whose attack is a proof: doing it again under another name would show nothing more. */
export const byProofs: Record<string, string[]> = {
  T9: ['R12', 'R13'],
  T10: ['R1', 'R2', 'R10'],
  T23: ['R18', 'R19', 'R20', 'R21'],
};
