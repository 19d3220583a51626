import { capturesOf } from '../harness/checker.ts';
import type { Call } from '../harness/client.ts';
import { newCard } from '../harness/orders.ts';
import { mustBe, reported, type Proof } from '../harness/proof.ts';
import type { Person, TenantRecord } from '../harness/actors.ts';
import { mustNotBeWritten, takeFootprint } from '../harness/footprint.ts';
import { callOf, idsOf, openSite, recordsOf, type Ids, type Site } from '../harness/site.ts';

/** A request for another tenant's money, and how it must be refused. */
type Theft = { of: string; call: Call; status: number };

/** T12: paying on another's ledger, with another's card, by one's own autopay or another's. */
export const otherTenantsLedgers: Proof<{ thieves: number }> = {
  name: 'T12',
  title:
    'Other people’s ledgers and saved methods in payments and autopay, in every place and writing',
  sizes: { small: { thieves: 2 }, full: { thieves: 5 } },
  async run({ thieves }, _seed, stage) {
    await using site = await openSite(stage);
    const { actors, db, simulator } = site;
    const people = [actors.a, actors.d, actors.b, actors.c, actors.e].slice(0, thieves);
    const thefts = people.flatMap((person) => theftsBy(site, person));
    const before = { rows: await takeFootprint(db.owner), calls: await simulator.calls() };
    let refused = 0;
    for (const { of, call, status } of thefts) {
      const answer = await site.send(call);
      if (answer.status === status) refused += 1;
      else stage.say(`  ${of}: ${answer.status} ${answer.text} instead of ${status}`);
    }
    const written = await mustNotBeWritten(
      'tables that were written',
      db.owner,
      before.rows,
      stage.say,
    );
    const calls = (await simulator.calls()) - before.calls;
    const own = people.map((person) =>
      payment(person, person.records[0], idsOf(person.records[0])),
    );
    const paid = await Promise.all(own.map((call) => site.send(call)));
    return [
      reported('thieves', people.length),
      mustBe(
        'refused, with 404 or, for a unit that is not the ledger’s, 422',
        refused,
        thefts.length,
      ),
      written,
      mustBe('calls of the gateway', calls, 0),
      mustBe(
        'the same payments with own ids, taken',
        paid.filter(({ status }) => status === 200).length,
        people.length,
      ),
      mustBe('captures', capturesOf(await simulator.journal()).length, people.length),
      mustBe('servers that ended by themselves', site.deaths(), 0),
    ];
  },
};

function theftsBy({ actors }: Site, person: Person): Theft[] {
  const [record] = person.records;
  const own = idsOf(record);
  // A further record of the same person is another tenant, as far as money goes.
  return recordsOf(actors)
    .filter((other) => other !== record)
    .flatMap((other) => theftsFrom(person, record, own, other));
}

function theftsFrom(person: Person, record: TenantRecord, own: Ids, victim: TenantRecord): Theft[] {
  const theirs = idsOf(victim);
  const gone = idsOf(record, 'movedOut');
  const { token } = person;
  const line = ({ ledgerId, unitId }: Ids) => ({ ledgerId, unitId, amount: 1.5 });
  const pay = (payments: object[], method: object = newCard()) =>
    callOf('makePayment', own, { token, body: { payments, ...method } });
  const set = (ids: Ids, method: object) => callOf('updateAutopay', ids, { token, body: method });
  const card = (paymentMethodId: string, more: object = {}) => ({
    creditCard: { paymentMethodId, ...more },
  });
  const account = (paymentMethodId: string) => ({ ach: { paymentMethodId } });
  const theirMethods: [string, object][] = [
    ['card', card(theirs.cardId)],
    ['card in capitals', card(theirs.cardId.toUpperCase())],
    ['card together with a new number', card(theirs.cardId, newCard().creditCard)],
    ['account', account(theirs.accountId)],
    ['card as an account', account(theirs.cardId)],
    ['account as a card', card(theirs.accountId)],
  ];
  const isOwnRecord = person.records.includes(victim);
  const thefts: [string, Call, number][] = [
    ['pay on their ledger', pay([line(theirs)]), 404],
    ['pay on their ledger with their card', pay([line(theirs)], card(theirs.cardId)), 404],
    ['pay on own and their ledger', pay([line(own), line(theirs)]), 404],
    ['pay on their and own ledger', pay([line(theirs), line(own)]), 404],
    ['pay on their ledger with the own unit', pay([{ ...line(theirs), unitId: own.unitId }]), 404],
    ['pay on the own ledger with their unit', pay([{ ...line(own), unitId: theirs.unitId }]), 422],
    ['pay on a ledger that was moved out of', pay([line(gone)]), 404],
    ...theirMethods.map(([which, method]): [string, Call, number] => [
      `pay with their ${which}`,
      pay([line(own)], method),
      404,
    ]),
    ...theirMethods.map(([which, method]): [string, Call, number] => [
      `autopay with their ${which}`,
      set(own, method),
      404,
    ]),
    ['autopay of a ledger that was moved out of', set(gone, card(own.cardId)), 404],
  ];
  // Its ledger is the caller's own as well: there only the method is foreign.
  if (!isOwnRecord)
    thefts.push(
      [
        'pay as them',
        callOf('makePayment', theirs, { token, body: { payments: [line(theirs)], ...newCard() } }),
        404,
      ],
      [
        'autopay of theirs with the own card',
        set({ ...own, ledgerId: theirs.ledgerId }, card(own.cardId)),
        404,
      ],
      [
        'stop their autopay',
        callOf('stopAutopay', { ...own, ledgerId: theirs.ledgerId }, { token }),
        404,
      ],
    );
  else
    thefts.push([
      'autopay of the other record with this one’s card',
      set(theirs, card(own.cardId)),
      404,
    ]);
  return thefts.map(([what, call, status]) => ({
    of: `${person.email}, ${victim.email}: ${what}`,
    call,
    status,
  }));
}

function payment({ token }: Person, record: TenantRecord, ids: Ids): Call {
  const payments = [{ ledgerId: ids.ledgerId, unitId: ids.unitId, amount: 1.5 }];
  return callOf('makePayment', ids, {
    token,
    body: { payments, creditCard: { paymentMethodId: record.savedCard } },
  });
}
