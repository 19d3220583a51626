import type { makeFetchTransport } from '@sentry/browser';

type Envelope = Parameters<ReturnType<typeof makeFetchTransport>['send']>[0];

/**
 * What a secret looks like, and what is sent in its place. Tokens: of a session, a device, a
 * registration. Numbers of 9 digits and more: cards, accounts, phones.
 */
const patterns: [RegExp, string][] = [
  [/(?:rvt|rdt|rgt)_[\w-]+/g, '[token]'],
  [/\bBearer\s+[^\s"']+/gi, 'Bearer [token]'],
  [/[^\s@<>"]{1,64}(?:@|%40)[\w-]{1,63}(?:\.[\w-]{1,63})+/g, '[email]'],
  [/[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/gi, ':id'],
  [/\?[^\s"'=?]+=[^\s"'<>]*/g, ''],
  // Elements are named by their labels, which may name a unit.
  [/\[[\w-]+="[^"]*"\]/g, ''],
  [/\d(?:[\s-]*\d){8,}/g, '[number]'],
];

/**
 * In sentences even short numbers go: gate codes, security codes, house numbers. Three digits are a
 * status or a code of React's.
 */
const shortNumber = /\d(?:[\s-]*\d){3,}/g;
const sentences = new Set(['value', 'message']);

/** What is about the tenant, and what was thrown in place of an error, whatever it holds. */
const withheld = new Set(['user', 'extra']);

/** Sentry's own random ids, and style sheets, which are the build's. */
const kept = new Set(['event_id', 'span_id', 'parent_span_id', 'trace_id', '_cssText']);
const sentryId = /^[\da-f]{32}$/;

/** Takes secrets out of all that an envelope carries. What cannot be read is not sent. */
export function scrubEnvelope([headers, items]: Envelope): Envelope {
  const scrubbed = (items as [{ type: string }, unknown][]).flatMap(([header, payload]) => {
    if (typeof payload === 'string') {
      const text = scrubRecording(payload);
      return [[{ ...header, length: new TextEncoder().encode(text).length }, text]];
    }
    return payload instanceof Uint8Array ? [] : [[header, scrub(payload)]];
  });
  // The same kinds of items as before, which the type cannot follow.
  return [headers, scrubbed] as Envelope;
}

/** Takes secrets out of every text in `value`; `key` is the name that it has in its object. */
export function scrub(value: unknown, key = ''): unknown {
  if (typeof value === 'string')
    return kept.has(key) ? value : scrubText(value, sentences.has(key));
  if (Array.isArray(value)) return value.map((entry) => scrub(entry, key));
  if (typeof value !== 'object' || value === null || 'isStyle' in value) return value;
  const entries = Object.entries(value).filter(([name]) => !withheld.has(name));
  return Object.fromEntries(entries.map(([name, entry]) => [name, scrub(entry, name)]));
}

/** @param isSentence whether short numbers go too */
export function scrubText(text: string, isSentence = false): string {
  if (sentryId.test(text)) return text;
  const scrubbed = patterns.reduce(
    (rest, [pattern, instead]) => rest.replace(pattern, instead),
    text,
  );
  return isSentence ? scrubbed.replace(shortNumber, '[number]') : scrubbed;
}

/** A replay's segment: a line that says which, and a line with its events. */
function scrubRecording(text: string): string {
  return text
    .split('\n')
    .map((line) => JSON.stringify(scrub(JSON.parse(line))))
    .join('\n');
}
