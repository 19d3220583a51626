import { addDays } from '@gatehouse/contract/dates';
import { capturesOf } from '../harness/checker.ts';
import { openWorkerContext } from '../models/autopay-worker.ts';
import { mustBe, reported, type Proof } from '../harness/proof.ts';
import { runAutopay } from '@gatehouse/server/src/features/autopay/run.ts';
import { makePaymentMethod } from '@gatehouse/server/src/seeds/builders.ts';
import { TEST_DAY, testClock, testClockShift } from '@gatehouse/server/test/test-day.ts';
import { proofVault } from '../harness/world.ts';
import { OWED_CENTS } from '../harness/actors.ts';
import { callOf, idsOf, openSite, type Site } from '../harness/site.ts';

/**
 * T13: autopay that is switched on without the tenant's consent. R6 has the workers that are
 * killed, raced and run again.
 */
export const autopayWithoutConsent: Proof<{ runs: number }> = {
  name: 'T13',
  title:
    'Autopay runs at once over rentals whose consent is missing, ended, of another card or switched off just now',
  sizes: { small: { runs: 4 }, full: { runs: 40 } },
  async run({ runs }, _seed, stage) {
    await using site = await openSite(stage);
    const { a, b, d, here } = site.actors;
    const [first, second] = d.records;
    await endConsentOf(site, b.records[0].owing.ledgerId);
    await forgetConsentOf(site, first.owing.ledgerId);
    await changeCardOf(site, second!.tenantId, second!.owing.ledgerId);
    const switchedOn = await countOn(site);
    const ctx = openWorkerContext({
      databaseUrl: site.db.url,
      simulatorUrl: site.simulator.url,
      aheadMs: testClockShift(),
    });
    const date = TEST_DAY;
    const runAll = (on: string) =>
      Promise.all(
        Array.from({ length: runs }, () =>
          runAutopay(ctx, { facilityId: here.facilityId, date: on }),
        ),
      );
    await runAll(date);
    await runAll(date);
    const charged = await chargesOf(site);
    // Switched off by its owner: nothing more, whatever is owed.
    const { status } = await site.send(
      callOf('stopAutopay', idsOf(a.records[0]), { token: a.token }),
    );
    await runAll(addDays(date, 1));
    await ctx.db.destroy();
    return [
      reported('runs', runs * 3),
      mustBe('rentals there with autopay switched on', switchedOn, 4),
      mustBe(
        'charges of the one with a live consent',
        charged.get(a.records[0].owing.ledgerId) ?? 0,
        1,
      ),
      mustBe(
        'charges of those without',
        [...charged.values()].reduce((sum, count) => sum + count, 0) - 1,
        0,
      ),
      mustBe(
        'cents captured',
        capturesOf(await site.simulator.journal()).reduce(
          (sum, { amountCents }) => sum + amountCents,
          0,
        ),
        OWED_CENTS,
      ),
      mustBe('answer to switching autopay off', status, 200),
      mustBe('servers that ended by themselves', site.deaths(), 0),
    ];
  },
};

/** The consent has its end, and the switch still says on. */
async function endConsentOf({ db }: Site, ledgerId: string): Promise<void> {
  const { mandate_id } = await db.owner
    .selectFrom('autopays')
    .select('mandate_id')
    .where('ledger_id', '=', ledgerId)
    .executeTakeFirstOrThrow();
  await db.owner
    .insertInto('mandate_ends')
    .values({
      mandate_id: mandate_id!,
      ended_at: testClock.now(),
      reason: 'switched_off',
      user_id: null,
    })
    .execute();
}

async function forgetConsentOf({ db }: Site, ledgerId: string): Promise<void> {
  await db.owner
    .updateTable('autopays')
    .set({ mandate_id: null })
    .where('ledger_id', '=', ledgerId)
    .execute();
}

/** The consent names another card than the one that would be charged. */
async function changeCardOf({ db }: Site, tenantId: string, ledgerId: string): Promise<void> {
  const other = await makePaymentMethod(db.owner, proofVault, { tenant_id: tenantId });
  await db.owner
    .updateTable('autopays')
    .set({ payment_method_id: other })
    .where('ledger_id', '=', ledgerId)
    .execute();
}

async function countOn({ db, actors }: Site): Promise<number> {
  const rows = await db.owner
    .selectFrom('autopays as a')
    .innerJoin('ledgers as l', 'l.id', 'a.ledger_id')
    .innerJoin('tenants as t', 't.id', 'l.tenant_id')
    .select('a.ledger_id')
    .where('a.active', '=', true)
    .where('t.facility_id', '=', actors.here.facilityId)
    .execute();
  return rows.length;
}

/** Every charge that the gateway was asked for, by ledger, whatever came of it. */
async function chargesOf({ db, simulator }: Site): Promise<Map<string, number>> {
  const parts = await db.owner
    .selectFrom('payment_intent_ledgers')
    .select(['intent_id', 'ledger_id'])
    .execute();
  const ledgerOf = new Map(parts.map(({ intent_id, ledger_id }) => [intent_id, ledger_id]));
  const charges = new Map<string, number>();
  for (const line of await simulator.journal()) {
    if (line.kind !== 'charge') continue;
    const ledgerId = ledgerOf.get(line.reference) ?? 'unknown';
    charges.set(ledgerId, (charges.get(ledgerId) ?? 0) + 1);
  }
  return charges;
}
