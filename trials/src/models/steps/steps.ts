import { autopaySteps } from './autopay.ts';
import { billingSteps } from './billing.ts';
import { counterSteps } from './counter.ts';
import { importSteps } from './imports.ts';
import { paymentSteps } from './payments.ts';
import { recordSteps } from './records.ts';
import { refundSteps } from './refunds.ts';
import { rentalSteps } from './rentals.ts';
import type { Step } from './step.ts';
import { yearSteps } from './years.ts';

/** Every kind of step of a sequence. */
export const steps: Step[] = [
  ...counterSteps,
  ...paymentSteps,
  ...refundSteps,
  ...importSteps,
  ...rentalSteps,
  ...recordSteps,
  ...billingSteps,
  ...autopaySteps,
  ...yearSteps,
];
