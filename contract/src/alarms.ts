import { z } from 'zod/mini';
import { id } from './ids.ts';
import { staffVerb } from './staff-verb.ts';

/**
 * An alarm: what a person must look at. `advice` is what to do about its kind, `facts` are ids,
 * sums and days. Instants are ISO 8601 in UTC. `facility` is null where it is about none.
 */
export const alarm = z.object({
  id,
  kind: z.string(),
  facility: z.nullable(z.string()),
  sentence: z.string(),
  advice: z.string(),
  raisedAt: z.iso.datetime(),
  facts: z.record(z.string(), z.unknown()),
  closed: z.nullable(z.object({ at: z.iso.datetime(), by: z.string(), why: z.string() })),
});
export type Alarm = z.infer<typeof alarm>;

/** `alarms close`: marks an alarm as handled, with name and reason. */
export const closeAlarm = staffVerb({
  name: 'alarms.close',
  title: 'Close an alarm',
  summary: 'Closes an alarm',
  role: 'manager',
  isReasonNeeded: false,
  body: z.object({ alarmId: id.check(z.describe('the alarm')) }),
  reply: z.object({ alarmId: id, sentence: z.string() }),
  example: {
    alarmId: '6f1d7c1e-43a0-4a2e-9a5c-0c9b7a1f2e3d',
    sentence: 'Our books and the gateway differ about one payment.',
  },
  says: ({ sentence }) => [`Closed: ${sentence}`],
});
