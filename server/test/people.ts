import { makeTenant, makeUser } from '#seeds/builders.ts';
import { DEMO_PASSWORD } from '#seeds/demo.ts';
import type { TestApp } from './app.ts';

/** A tenant record at a facility, and a sign-in for it. Returns the id of the record. */
export async function makePerson(
  { owner }: TestApp,
  facilityId: string,
  email: string,
  password = DEMO_PASSWORD,
): Promise<string> {
  const tenantId = await makeTenant(owner, { facility_id: facilityId, email });
  await makeUser(owner, { email, password, tenantIds: [tenantId] });
  return tenantId;
}
