import { randomUUID } from 'node:crypto';
import { closeAlarmOf } from '@gatehouse/server/src/features/base/alarms/staff.ts';
import {
  addTenantRecord,
  changeEmailOf,
} from '@gatehouse/server/src/features/rentals/tenants/staff-records.ts';
import { same, someOf, staffPlan, type Sequence, type Step } from './step.ts';

/** What staff do to tenant records and alarms: it must leave the books as they are. */
export const recordSteps: Step[] = [
  {
    name: 'tenants add',
    weight: 1,
    plan(sequence, random) {
      const { session, world } = sequence;
      const facilityId = random.chance(0.9) ? world.facilityId : null;
      const email = `${randomUUID()}@example.com`;
      const home = { street1: '1 Main Street', city: 'Austin', region: 'TX', postalCode: '73301' };
      const body = { firstName: 'Dana', lastName: 'Reyes', email, phone: '5125550100', ...home };
      const refused = facilityId === null ? 'no facility is named' : null;
      const verb = staffPlan(sequence, random, {
        work: addTenantRecord,
        body,
        refused,
        facilityId,
        expected: () => [],
      });
      const run = async () => {
        const reply = await verb.run();
        const { rows } = await session.run(
          'SELECT facility_id AS "facilityId" FROM tenants WHERE email = $1',
          [email],
        );
        same('the new tenant records', rows, [{ facilityId }]);
        return reply;
      };
      return { ...verb, run };
    },
  },
  {
    name: 'tenants email',
    weight: 1,
    plan(sequence, random) {
      const { renter } = sequence;
      const isSame = random.chance(0.1);
      const email = isSame ? sequence.email.toUpperCase() : `${randomUUID()}@example.com`;
      const refused = isSame ? 'it is the address already' : null;
      const body = { tenantId: renter.tenantId, email };
      const verb = staffPlan(sequence, random, {
        work: changeEmailOf,
        body,
        refused,
        expected: () => [],
      });
      const run = async () => {
        const reply = await verb.run();
        sequence.email = email;
        await registerAgain(sequence);
        return reply;
      };
      return { ...verb, run };
    },
  },
  {
    name: 'alarms close',
    weight: 6,
    plan(sequence, random) {
      const alarm = someOf(random, sequence.alarms);
      if (alarm === null || (alarm.isClosed && random.chance(0.9))) return null;
      const refused = alarm.isClosed ? 'it is closed already' : null;
      const expected = () => {
        sequence.closedAlarms.add(alarm.id);
        return [];
      };
      return staffPlan(sequence, random, {
        work: closeAlarmOf,
        body: { alarmId: alarm.id },
        refused,
        expected,
      });
    },
  },
];

/** After a changed address the record has no sign-in until the new address has registered. */
async function registerAgain({ session, renter, email }: Sequence): Promise<void> {
  const { rows } = await session.run(
    `SELECT t.email, (SELECT count(*)::int FROM user_tenants u WHERE u.tenant_id = t.id) AS links
    FROM tenants t WHERE t.id = $1`,
    [renter.tenantId],
  );
  same('the record with a changed address', rows, [{ email, links: 0 }]);
  await session.asOwner(async () => {
    const link = [renter.userId, renter.tenantId];
    await session.run('INSERT INTO user_tenants (user_id, tenant_id) VALUES ($1, $2)', link);
  });
}
