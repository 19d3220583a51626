import { action, facts, paragraph, type Email, type Fact } from './email.ts';

/**
 * Notifies the operator of an alarm; `facts` hold ids and sums, never a tenant's text or the number
 * of a card.
 */
export function alarmEmail(alarm: {
  sentence: string;
  advice: string;
  facts: Record<string, unknown>;
}): Email {
  const { sentence, advice } = alarm;
  const rows = Object.entries(alarm.facts).map(([name, fact]): Fact => [name, textOf(fact)]);
  return {
    subject: `Alarm: ${sentence}`,
    blocks: [
      paragraph(sentence),
      paragraph(advice),
      ...(rows.length === 0 ? [] : [facts(rows)]),
      action('Open the alarms', '/office/alarms'),
    ],
  };
}

function textOf(fact: unknown): string {
  if (Array.isArray(fact)) return fact.map(textOf).join('\n');
  return typeof fact === 'string' ? fact : JSON.stringify(fact);
}
