import { setLanguageSource } from '@gatehouse/language/language';
import { afterEach, expect, test } from 'vitest';
import { hoursLabel } from './gate-access.ts';
import { hoursFrom, scheduleName } from './gate-hours.ts';
import { holidays, weekHours } from './office/facility-hours.ts';

afterEach(() => setLanguageSource(() => 'en'));

const week = (text: string) => weekHours('Gate hours').safeParse(text).data;
const days = (text: string) => holidays.safeParse(text).data;

test('hours of a week are kept in one form, however they are typed', () => {
  expect(week('6AM–10PM')).toBe('6am - 10pm');
  expect(week(' mon - fri 6:00 am - 10 pm,saturday 8:30am-6pm')).toBe(
    'Mon-Fri 6am - 10pm, Sat 8:30am - 6pm',
  );
  expect(week('Mon-Sat 6am - 10pm, Sun closed')).toBe('Mon-Sat 6am - 10pm, Sun closed');
});

test.each([
  '',
  'always',
  '25am - 10pm',
  '6am - 6am',
  'Fri-Mon 6am - 10pm',
  'Mon-Fri 6am - 10pm, Fri 8am - 6pm',
  '6am - 10pm, Sun closed',
])('hours such as %j are refused', (text) => {
  expect(week(text)).toBeUndefined();
});

test('holidays are days of each year or of one', () => {
  expect(days('')).toBe('');
  expect(days('12/25 Closed, 11/26/2026 6am-2pm')).toBe('12/25 closed, 11/26/2026 6am - 2pm');
  for (const text of ['13/1 closed', '2/30 closed', '12/25', 'Christmas', '2/29/2026 closed'])
    expect(days(text)).toBeUndefined();
});

// spec 4.41
test('the default reads as the specification has it', () => {
  expect(hoursLabel(scheduleName('Business Hours', '6am - 10pm'))).toBe(
    'Business Hours (6am - 10pm)',
  );
});

test('a tenant reads the holidays of the next two weeks with the hours', () => {
  const all = '12/25 closed, 1/1/2027 8am - noon'.replace('noon', '12pm');
  expect(hoursFrom('6am - 10pm', all, '2026-12-10')).toBe('6am - 10pm');
  const hours = hoursFrom('6am - 10pm', all, '2026-12-24');
  expect(hoursLabel(scheduleName('Business Hours', hours))).toBe(
    'Business Hours (6am - 10pm, 12/25 closed, 1/1/2027 8am - 12pm)',
  );
  expect(scheduleName('24 Hours', hours)).toBe('24 Hours');
  setLanguageSource(() => 'es');
  expect(scheduleName('Business Hours', 'Mon-Fri 6am - 10pm, 12/25 closed')).toBe(
    'Horario comercial (lun-vie 6\u00a0a.\u00a0m. - 10\u00a0p.\u00a0m., 25 dic cerrado)',
  );
});
