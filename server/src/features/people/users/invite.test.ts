import { addDays, calendarDateIn } from '@gatehouse/contract/dates';
import { expect, test } from 'vitest';
import { useTestApp } from '#test/app.ts';
import { mailsTo } from '#test/mails.ts';
import { callOffice, doVerb, signInStaff } from '#test/office.ts';
import { makeRentalOf } from '#test/owing-rental.ts';
import { makeFacility, makeTenant } from '#seeds/builders.ts';

const api = useTestApp('demo_template');

async function invite(most: number | undefined, isPreview: boolean, locationCode = 'TXDFW09') {
  const { status, body } = await doVerb(api, await signInStaff(api, 'owner'), 'tenants/invite', {
    isPreview,
    locationCode,
    most,
  });
  expect([status, body.message]).toEqual([200, undefined]);
  return body as { invited: number; left: number; text: string };
}

async function makePlace(location_code: string, emails: string[]): Promise<string[]> {
  const facility = await makeFacility(api.owner, { location_code });
  const ledgers: string[] = [];
  for (const [place, email] of emails.entries()) {
    const tenant = await makeTenant(api.owner, { facility_id: facility, email, last_name: email });
    ledgers.push(await makeRentalOf(api, facility, tenant, `${location_code}${place}`));
  }
  return ledgers;
}

const invitationsTo = async (email: string) =>
  (await mailsTo(api, email)).filter(({ subject }) => /^Your account at/.test(subject)).length;

test('an owner invites the tenants of a facility in batches, each once, and reads the mail before', async () => {
  const emails = ['ann@tenant.example', 'ben@tenant.example', 'none@example.invalid'];
  await makePlace('TXDFW09', emails);
  const mailed = () => Promise.all(emails.map(invitationsTo));

  const preview = await invite(1, true);
  expect(preview).toMatchObject({ invited: 1, left: 1 });
  expect(preview.text).toContain('You can now see your rentals at');
  expect(await mailed()).toEqual([0, 0, 0]);
  await invite(1, false);
  expect(await mailed()).toEqual([1, 0, 0]);
  expect(await invite(undefined, false)).toMatchObject({ invited: 1, left: 0 });
  expect(await invite(undefined, false)).toMatchObject({ invited: 0, left: 0 });
  expect(await mailed()).toEqual([1, 1, 0]);
});

test('an address of several records is mailed once, also where the other record was invited elsewhere', async () => {
  await makePlace('TXDFW10', ['cay@tenant.example', 'cay@tenant.example', 'Cay@tenant.example']);
  expect(await invite(undefined, false, 'TXDFW10')).toMatchObject({ invited: 1, left: 0 });
  expect(await invite(undefined, false, 'TXDFW10')).toMatchObject({ invited: 0, left: 0 });
  await makePlace('TXDFW11', ['cay@tenant.example']);
  expect(await invite(undefined, false, 'TXDFW11')).toMatchObject({ invited: 0, left: 0 });
  const mailed = ['cay@tenant.example', 'Cay@tenant.example'].map(invitationsTo);
  expect((await Promise.all(mailed)).toSorted()).toEqual([0, 1]);
});

test('who moves out on a later day is invited, and who has moved out is not', async () => {
  const [later, before] = await makePlace('TXDFW12', ['dee@tenant.example', 'eve@tenant.example']);
  const today = calendarDateIn('America/Chicago', api.ctx.clock.now());
  for (const [id, on] of [
    [later, addDays(today, 9)],
    [before, addDays(today, -1)],
  ] as const)
    await api.sql`UPDATE ledgers SET moved_out_on = ${on}::date WHERE id = ${id}`;
  expect(await invite(undefined, true, 'TXDFW12')).toMatchObject({ invited: 1, left: 0 });
});

test('all of a facility are mailed four a second', async () => {
  await makePlace(
    'TXDFW13',
    Array.from({ length: 9 }, (_, n) => `f${n}@paced.example`),
  );
  await invite(undefined, false, 'TXDFW13');
  const jobs = await api.sql<{ after: number }>`
    SELECT round(extract(epoch FROM start_after - min(start_after) OVER ()))::int AS after
    FROM pgboss.job WHERE name = 'deliver-mail' AND group_id = 'paced.example' ORDER BY start_after`;
  expect(jobs.map(({ after }) => after)).toEqual([0, 0, 0, 0, 1, 1, 1, 1, 2]);
});

test('an owner reads which invitations could not be delivered, until the address is another one', async () => {
  const [email, other] = ['gus@tenant.example', 'gus.new@tenant.example'];
  await makePlace('TXDFW14', [email]);
  await invite(undefined, false, 'TXDFW14');
  const undeliverable = async () => {
    const as = await signInStaff(api, 'owner');
    const { body } = await callOffice(api, 'GET', '/office/invitations/undeliverable', { as });
    return (body as { rows: unknown[] }).rows;
  };
  expect(await undeliverable()).toEqual([]);
  await api.sql`UPDATE mails SET is_dropped = true, fault = '550 no such user' WHERE to_address = ${email}`;
  const fault = '550 no such user';
  expect(await undeliverable()).toEqual([
    expect.objectContaining({ email, locationCode: 'TXDFW14', fault }),
  ]);
  await api.sql`UPDATE tenants SET company = 'Gus Marine LLC' WHERE email = ${email}`;
  expect(await undeliverable()).toMatchObject([{ name: 'Gus Marine LLC', fault }]);
  await api.sql`UPDATE tenants SET email = ${other} WHERE email = ${email}`;
  expect(await undeliverable()).toEqual([]);
});
