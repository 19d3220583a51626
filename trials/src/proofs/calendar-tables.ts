import { isDeepStrictEqual } from 'node:util';
import { openDatabase } from '@gatehouse/server/src/db/database.ts';
import { giveInsuranceProof } from '@gatehouse/server/src/features/insurance/insurance.ts';
import { Refusal } from '@gatehouse/server/src/errors/refusal.ts';
import {
  anchorLines,
  daysPastDueLines,
  paidThroughLines,
  periodLines,
  policyCases,
  type Line,
} from '../models/calendar-table.ts';
import { createModelGateway } from '../models/model-gateway.ts';
import { clockAt, contextOn, makeWorld } from '../models/world.ts';
import { mustBe, type Proof, type Stage } from '../harness/proof.ts';

/** Dates that a person has read off a calendar, against what the product says. */
export const calendarTables: Proof<{ tables: number }> = {
  name: 'R17',
  title:
    'Billing days, leap days, days past due around midnight and what must be tomorrow or later are exact',
  sizes: { small: { tables: 1 }, full: { tables: 1 } },
  async run(_size, _seed, stage) {
    const groups = {
      'billing days 28 to 31 over leap years': anchorLines(),
      'periods around a leap day': periodLines(),
      'paid through and the next charge': paidThroughLines(),
      'days past due around midnight, 13 and 14': daysPastDueLines(),
      'policies that end today or tomorrow around midnight': await policyLines(stage),
    };
    return Object.entries(groups).flatMap(([name, lines]) => {
      const wrong = lines.filter(({ found, right }) => !isDeepStrictEqual(found, right));
      for (const { what, found, right } of wrong)
        stage.say(`  ${what}: ${JSON.stringify(found)} where ${JSON.stringify(right)} is right`);
      return [mustBe(`${name}: wrong of ${lines.length}`, wrong.length, 0)];
    });
  },
};

async function policyLines(stage: Stage): Promise<Line[]> {
  const database = await (await stage.cluster()).newDatabase();
  const { facilityId, renters } = await makeWorld(database.owner, {
    movedInOn: '2026-01-01',
    renters: 1,
    rentals: 1,
  });
  const { userId, tenantId, rentals } = renters[0]!;
  const ledgerIds = rentals.map(({ ledgerId }) => ledgerId);
  const db = openDatabase(database.url, () => {});
  const lines: Line[] = [];
  for (const { zone, at, coverageEnd, isTaken } of policyCases) {
    const clock = clockAt(new Date(at).toISOString());
    const ctx = contextOn({ db, clock, gateway: createModelGateway(clock) });
    const caller = {
      userId,
      facilityId,
      timeZone: zone,
      tenantIds: [tenantId],
      ledgerIds,
      tokenHash: Buffer.alloc(0),
      kept: null,
    };
    const proof = {
      description: 'Anchor Mutual',
      policyNumber: 'AM-1',
      coverageEnd,
      coverageAmount: 5000,
    };
    const found = await giveInsuranceProof(ctx, caller, rentals[0]!.ledgerId, proof).then(
      () => true,
      (error: unknown) => {
        if (error instanceof Refusal && error.status === 422) return false;
        throw error;
      },
    );
    lines.push({
      what: `a policy until ${coverageEnd}, ${zone}, ${new Date(at).toISOString()}`,
      found,
      right: isTaken,
    });
  }
  await db.destroy();
  await database.close();
  return lines;
}
