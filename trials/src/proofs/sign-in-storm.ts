import { signIn } from '../harness/calls.ts';
import { Flood, shotOf, type Shot } from '../harness/flood.ts';
import { BEHIND_PROXY } from '../harness/app-process.ts';
import { openFixture } from '../harness/fixture.ts';
import { centOrders } from '../harness/orders.ts';
import { quantileOf } from '../harness/statistics.ts';
import { SteadyLoad } from '../harness/steady-load.ts';
import {
  judgedIf,
  mustBe,
  mustBeAtLeast,
  mustBeAtMost,
  reported,
  type Proof,
} from '../harness/proof.ts';

const SIGN_INS_A_SECOND = 200;
const PAYMENTS_A_SECOND = 3;
const P95_MS = 1000;
/**
 * From this many seconds on the figure of time must hold: below, the other tests of `npm test`
 * decide it.
 */
const FULL = 300;

/** R21: a storm of sign-ins from as many addresses, each for another account, while tenants pay. */
export const signInStorm: Proof<{ seconds: number }> = {
  name: 'R21',
  title: 'A storm of 200 sign-ins a second while tenants pay',
  sizes: { small: { seconds: 4 }, full: { seconds: FULL } },
  async run({ seconds }, seed, stage) {
    await using fixture = await openFixture(stage, {
      servers: 1,
      world: { payers: 50, rentals: 2, owedCents: () => 50_000_000 },
      // The storm comes through a proxy, which says whose each sign-in is.
      env: { ...BEHIND_PROXY, SHED_LOAD: 'on' },
    });
    const { address } = await fixture.pool.next();
    using storm = new Flood(address, 400);
    const order = centOrders(fixture.payers);
    const times: number[] = [];
    const answers: number[] = [];
    const payments = new SteadyLoad(PAYMENTS_A_SECOND, async (number) => {
      const begun = performance.now();
      const { status } = await fixture.driver.send(address, {
        name: `payment ${number}`,
        ...order(),
      });
      times.push(performance.now() - begun);
      answers.push(status);
    });
    const begun = performance.now();
    await storm.pour(SIGN_INS_A_SECOND, seconds, stranger(seed));
    const stormSeconds = (performance.now() - begun) / 1000;
    await payments.stop();
    const counted = (status: number) => storm.hits.filter((hit) => hit.status === status).length;
    const asked = storm.hits.length + storm.turnedAway;
    const p95 = quantileOf(times, 0.95);
    return [
      mustBeAtLeast('passwords hashed', Math.min(1, counted(401)), 1),
      mustBe(
        'sign-ins neither hashed nor refused with a time to come again',
        storm.hits.length - counted(401),
        0,
      ),
      mustBe('payments that were not paid', answers.filter((status) => status !== 200).length, 0),
      judgedIf(seconds >= FULL, mustBeAtMost('p95 of the payments, in ms', p95, P95_MS)),
      reported('sign-ins a second', asked / stormSeconds, 'max'),
      reported('sign-ins hashed', counted(401)),
      reported('sign-ins refused', storm.turnedAway),
      reported('payments', answers.length),
      ...(await fixture.check()),
    ];
  },
};

/** A sign-in with a wrong password, for an account and from a network that were not seen before. */
function stranger(seed: number): () => Shot {
  let turn = 0;
  return () => {
    turn += 1;
    const from = `10.${(turn >> 16) & 255}.${(turn >> 8) & 255}.${turn & 255}`;
    const call = signIn(`stranger-${seed}-${turn}@example.com`, 'harbor gate 80');
    return shotOf('sign-in', { ...call, headers: { 'x-forwarded-for': from } });
  };
}
