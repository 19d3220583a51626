import type { Proof } from './proof.ts';
import { r1 } from './r1.ts';
import { r2 } from './r2.ts';
import { r3 } from './r3.ts';
import { r4 } from './r4.ts';
import { r5 } from './r5.ts';
import { r6 } from './r6.ts';
import { r7 } from './r7.ts';
import { r8 } from './r8.ts';
import { r9 } from './r9.ts';
import { r10 } from './r10.ts';
import { r12 } from './r12.ts';
import { r13 } from './r13.ts';
import { r14 } from './r14.ts';
import { r15 } from './r15.ts';
import { r16 } from './r16.ts';
import { r17 } from './r17.ts';
import { r18 } from './r18.ts';
import { r19 } from './r19.ts';
import { r20 } from './r20.ts';
import { r21 } from './r21.ts';
import { r22 } from './r22.ts';
import { r23 } from './r23.ts';
import { r24 } from './r24.ts';
import { r26 } from './r26.ts';
import { r27 } from './r27.ts';
import { r28 } from './r28.ts';
import { r29 } from './r29.ts';
import { r30 } from './r30.ts';

/** Every proof, in the order in which they run. */
export const proofs: Proof[] = [
  r1,
  r2,
  r3,
  r4,
  r5,
  r6,
  r7,
  r8,
  r9,
  r10,
  r12,
  r13,
  r14,
  r15,
  r16,
  r17,
  r18,
  r19,
  r20,
  r21,
  r22,
  r23,
  r24,
  r26,
  r27,
  r28,
  r29,
  r30,
];
