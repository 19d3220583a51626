import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { useTestApp } from '#test/app.ts';
import { mailsTo } from '#test/mails.ts';
import { callOffice, signInStaff } from '#test/office.ts';
import { makeRentalOf } from '#test/owing-rental.ts';
import { makeFacility, makeTenant } from '#seeds/builders.ts';

const api = useTestApp('demo_template');

async function invite(most: number, isPreview: boolean) {
  const { status, body } = await callOffice(api, 'POST', '/office/verbs/tenants/invite', {
    as: await signInStaff(api, 'owner'),
    body: { key: randomUUID(), why: '', isPreview, locationCode: 'TXDFW09', most },
  });
  expect([status, body.message]).toEqual([200, undefined]);
  return body as { invited: number; left: number; text: string };
}

test('an owner invites the tenants of a facility in batches, each once, and reads the mail before', async () => {
  const { id: corporation_id } = await api.owner
    .selectFrom('corporations')
    .select('id')
    .executeTakeFirstOrThrow();
  const facility = await makeFacility(api.owner, { corporation_id, location_code: 'TXDFW09' });
  const emails = ['ann@tenant.example', 'ben@tenant.example', 'none@example.invalid'];
  for (const email of emails) {
    const tenant = await makeTenant(api.owner, { facility_id: facility, email, last_name: email });
    await makeRentalOf(api, facility, tenant, `T${email}`);
  }
  const mailed = async () =>
    (await Promise.all(emails.map((email) => mailsTo(api, email)))).map(
      (mails) => mails.filter(({ subject }) => /^Your account at/.test(subject)).length,
    );

  const preview = await invite(1, true);
  expect(preview).toMatchObject({ invited: 1, left: 1 });
  expect(preview.text).toContain('You can now see your rentals at');
  expect(await mailed()).toEqual([0, 0, 0]);
  await invite(1, false);
  expect(await mailed()).toEqual([1, 0, 0]);
  expect(await invite(200, false)).toMatchObject({ invited: 1, left: 0 });
  expect(await invite(200, false)).toMatchObject({ invited: 0, left: 0 });
  expect(await mailed()).toEqual([1, 1, 0]);
});
