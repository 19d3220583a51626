import { formatDate } from '@gatehouse/contract/dates';
import { money, paragraph, type Email, type Fact } from '#emails/email.ts';
import { factsOf, NOTHING_CHANGED, staffEmail, type StaffMessage } from './staff-message.ts';

/** A protection plan as the facility sells it, money in cents. */
export type PlanFacts = { description: string; coverageCents: number; premiumCents: number };

/** The tenant's own policy; `endsOn` is its last day. */
export type PolicyFacts = {
  company: string;
  policyNumber: string;
  coverageCents: number;
  endsOn: string;
};

/** A request for another cover; `now` is the rental's current one, null for none. */
export type InsuranceFacts = { now: PlanFacts | null } & (
  | { plan: PlanFacts }
  | { policy: PolicyFacts }
);

export function insuranceRequestEmail(message: StaffMessage, facts: InsuranceFacts): Email {
  const wanted: Fact[] =
    'plan' in facts ? [['Requested plan', planText(facts.plan)]] : policyRows(facts.policy);
  return staffEmail('Protection plan change', message, [
    factsOf([
      ['Protection plan now', facts.now === null ? 'none' : planText(facts.now)],
      ...wanted,
    ]),
    NOTHING_CHANGED,
    paragraph('The tenant was told that the update can take up to 1 day to take effect.'),
  ]);
}

function planText({ description, coverageCents, premiumCents }: PlanFacts): string {
  return `${description}: ${money(coverageCents)} coverage, ${money(premiumCents)} a month`;
}

function policyRows({ company, policyNumber, coverageCents, endsOn }: PolicyFacts): Fact[] {
  return [
    ['Requested', 'private insurance in its place'],
    ['Policy company', company],
    ['Policy number', policyNumber],
    ['Expiration date', formatDate(endsOn)],
    ['Coverage amount', money(coverageCents)],
  ];
}
