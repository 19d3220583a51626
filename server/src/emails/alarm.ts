import type { Email } from './email.ts';

/**
 * Notifies the operator of an alarm; `facts` hold ids and sums, never a tenant's text or the number
 * of a card.
 */
export function alarmEmail({
  sentence,
  advice,
  facts,
}: {
  sentence: string;
  advice: string;
  facts: Record<string, unknown>;
}): Email {
  const rows = Object.entries(facts).map(([name, fact]): [string, string] => [name, textOf(fact)]);
  return {
    subject: `Alarm: ${sentence}`,
    blocks: [
      { kind: 'paragraph', text: sentence },
      { kind: 'paragraph', text: advice },
      ...(rows.length === 0 ? [] : [{ kind: 'facts' as const, facts: rows }]),
    ],
  };
}

function textOf(fact: unknown): string {
  if (Array.isArray(fact)) return fact.map(textOf).join('\n');
  return typeof fact === 'string' ? fact : JSON.stringify(fact);
}
