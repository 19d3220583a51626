import { inWorkerPool } from '../models/worker-pool.ts';
import type { CalendarResult, CalendarTask } from '../models/calendar.ts';
import { mustBe, reported, type Proof } from '../harness/proof.ts';

const SERVER_ZONES = ['UTC', 'America/Los_Angeles', 'Pacific/Auckland'];

/**
 * The same months of facility days, bills and payments in six zones, lived through by servers that
 * are in three zones themselves.
 */
export const calendarInSixZones: Proof<{ months: number; facilities: number }> = {
  name: 'R16',
  title:
    'The calendar is the facility’s, in every zone of the server and whenever the clocks change',
  sizes: { small: { months: 6, facilities: 6 }, full: { months: 24, facilities: 18 } },
  async run({ months, facilities }, seed, stage) {
    const results = await Promise.all(
      SERVER_ZONES.map((TZ) =>
        inWorkerPool<CalendarResult>([{ seed, months, facilities } satisfies CalendarTask], {
          stage,
          module: 'calendar.ts',
          env: { TZ },
        }),
      ),
    );
    const all = results.flat();
    const faults = all.flatMap((result) => result.faults);
    const reminderFaults = all.flatMap((result) => result.reminderFaults);
    for (const fault of [...faults.slice(0, 5), ...reminderFaults.slice(0, 5)])
      stage.say(`  ${fault}`);
    const [first] = all;
    return [
      mustBe(
        'server zones that were in force',
        new Set(all.map(({ serverZone }) => serverZone)).size,
        SERVER_ZONES.length,
      ),
      mustBe(
        'different outputs over the server zones',
        new Set(all.map(({ digest }) => digest)).size,
        1,
      ),
      mustBe(
        'periods not billed exactly once, on their due date, after four in the morning',
        faults.length,
        0,
      ),
      mustBe(
        'reminders missing, doubled, after a payment, at night, on a Sunday morning or after STOP by text, of another sum or dropped without reason',
        reminderFaults.length,
        0,
      ),
      reported('facility days', first!.facilityDays),
      reported('periods billed', first!.periods),
      reported('payments', first!.payments),
      reported('reminders', first!.reminders),
      reported('reminders sent', first!.remindersSent),
      reported('reminders dropped before they were sent', first!.remindersDropped),
      reported('reminders sent by text', first!.textsSent),
      reported('texts that were not sent, or it is not known', first!.textsNotSent),
      reported('STOPs from a number', first!.stops),
    ];
  },
};
