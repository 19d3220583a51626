import { makeTenant, makeUser } from '#seeds/builders.ts';
import { DEMO_PASSWORD } from '#seeds/demo.ts';
import type { TestApp } from './app.ts';
import { getRow } from './rows.ts';

/** A tenant record at a facility, and a sign-in for it. Returns the id of the record. */
export async function makePerson(
  { owner }: TestApp,
  facilityId: string,
  email: string,
  password = DEMO_PASSWORD,
): Promise<string> {
  const tenantId = await makeTenant(owner, { facility_id: facilityId, email });
  const { corporation_id } = await getRow(owner, 'facilities', 'corporation_id', {
    id: facilityId,
  });
  const tenantIds = [tenantId];
  await makeUser(owner, { corporationId: corporation_id, email, password, tenantIds });
  return tenantId;
}
