import { expect, test } from 'vitest';
import * as alarms from './alarms.ts';
import * as charges from './counter-charges.ts';
import * as payments from './counter-payments.ts';
import * as credits from './credits.ts';
import * as rentals from './rentals.ts';
import * as autopay from './staff-autopay.ts';
import * as tenants from './tenant-records.ts';

const verbs = [alarms, autopay, charges, payments, credits, rentals, tenants]
  .flatMap((module) => Object.values<unknown>(module))
  .filter(
    (value) =>
      typeof value === 'object' && value !== null && 'example' in value && 'reply' in value,
  )
  .map((value) => value as typeof credits.addCredit);

test.each(verbs.map((verb) => [verb.name, verb] as const))(
  'the example of %s is what it answers',
  (_, verb) => {
    expect(verb.reply.parse(verb.example)).toEqual(verb.example);
  },
);
