import { pino } from 'pino';
import { readConfig } from '#config/config.ts';
import { runFacilityDay } from '#jobs/facility-day.ts';
import { openContext } from '#app/start.ts';

/**
 * A facility's day in its own process, as a worker does it: `node facility-day-process.ts
 * <facility's id> <day>`.
 */
const [, , facilityId = '', date = ''] = process.argv;
const config = readConfig(process.env);
const closers: (() => Promise<unknown>)[] = [];
const stopping = new AbortController();
const { ctx } = await openContext(
  config,
  config.databaseUrl!,
  pino({ level: 'silent' }),
  closers,
  stopping.signal,
);
await runFacilityDay(ctx, { facilityId, date });
stopping.abort();
for (const close of closers.reverse()) await close();
