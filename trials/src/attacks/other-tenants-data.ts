import { jsonOf, type Answer } from '../harness/client.ts';
import { newAccount, newCard } from '../harness/orders.ts';
import { mustBe, mustBeAtLeast, reported, type Figure, type Proof } from '../harness/proof.ts';
import { postCharges } from '@gatehouse/server/src/seeds/builders.ts';
import { pagesOf } from '@gatehouse/server/test/pdf.ts';
import { TEST_DAY } from '@gatehouse/server/test/test-day.ts';
import { bodyOf, guardedNames, type GuardedName, rows } from './access-matrix.ts';
import type { Person, TenantRecord } from '../harness/actors.ts';
import { callOf, idsOf, openSite, secretsOfOthers, type Site } from '../harness/site.ts';
import { changeRows } from '@gatehouse/server/test/rows.ts';

/**
 * Of a record's own texts what no answer may hold: the whole license number, and the codes of what
 * is locked or over.
 */
const neverShown = ['license', 'code-owing', 'code-gone'];

/** T2: answers about a whole facility, and gate codes of tenants who owe or have moved out. */
export const otherTenantsData: Proof<{ people: number }> = {
  name: 'T2',
  title:
    'Every answer that a tenant can get is searched for other tenants, and the gate code is tried while it is locked',
  sizes: { small: { people: 2 }, full: { people: 5 } },
  async run({ people }, _seed, stage) {
    await using site = await openSite(stage);
    const { actors } = site;
    const asked = [actors.a, actors.d, actors.b, actors.c, actors.e].slice(0, people);
    const gate = await tryGate(site, actors.c);
    let answers = 0;
    let good = 0;
    let foreign = 0;
    let hidden = 0;
    const shown = new Set<string>();
    for (const person of asked) {
      const texts = await everyAnswerOf(site, person);
      answers += texts.length;
      good += texts.filter(({ status }) => status === 200).length;
      const all = texts.map(readable);
      const others = secretsOfOthers(actors, person).filter(({ text }) =>
        all.some((one) => one.includes(text)),
      );
      for (const { what, text } of others)
        stage.say(`  ${person.email} was shown ${what}: ${text}`);
      foreign += others.length;
      for (const { what, text } of person.records.flatMap(({ secrets }) => secrets)) {
        if (!all.some((one) => one.includes(text))) continue;
        shown.add(what);
        if (neverShown.includes(what)) hidden += 1;
      }
    }
    return [
      mustBe('answers, each to a signed-in user', good, answers),
      mustBe('texts of other tenants in them', foreign, 0),
      mustBe('own texts that no answer may hold', hidden, 0),
      // Else answers that hold nothing would pass.
      mustBeAtLeast('kinds of own texts in them', shown.size, 25),
      ...gate,
      mustBe('servers that ended by themselves', site.deaths(), 0),
    ];
  },
};

/** Every endpoint for every rental and every record of the person; the session's end comes last. */
async function everyAnswerOf(site: Site, person: Person): Promise<Answer[]> {
  const answers: Answer[] = [];
  const once: GuardedName[] = ['logout', 'stopAutopay', 'endSession', 'removePasskey'];
  const names = guardedNames.filter((name) => !once.includes(name) && rows[name].own === undefined);
  for (const record of person.records)
    for (const which of ['paid', 'owing'] as const) {
      const ids = idsOf(record, which);
      for (const name of names) {
        if ((rows[name].rental ?? which) !== which || (name === 'makePayment' && which === 'paid'))
          continue;
        answers.push(
          await site.send(callOf(name, ids, { token: person.token, body: bodyOf(name, ids) })),
        );
      }
    }
  return answers;
}

/** The answer's text, and that of a paper inside it. */
function readable(answer: Answer): string {
  const body = jsonOf(answer);
  const isPaper =
    typeof body === 'object' && body !== null && 'contentType' in body && 'data' in body;
  return isPaper ? pagesOf(Buffer.from(String(body.data), 'base64')).join('\n') : answer.text;
}

/**
 * Locks the gate by one cent, opens it by paying that, tries the same by a bank payment that has
 * not settled, and moves the tenant out; looks at both calls after each step.
 */
async function tryGate(site: Site, person: Person): Promise<Figure[]> {
  const { owner } = site.db;
  const record = person.records[0];
  const { ledgerId } = record.paid;
  const seen = { before: await seesCode(site, person, record) };
  const today = TEST_DAY;
  const oweACent = () =>
    postCharges(owner, ledgerId, [
      { category: 'fee', description: 'A cent', dueOn: today, priceCents: 1 },
    ]);
  await oweACent();
  const locked = await seesCode(site, person, record);
  const ids = idsOf(record, 'paid');
  const payments = [{ ledgerId, unitId: ids.unitId, amount: 0.01 }];
  const paid = await site.send(
    callOf('makePayment', ids, { token: person.token, body: { payments, ...newCard() } }),
  );
  const after = await seesCode(site, person, record);
  await changeRows(owner, 'facilities', { gate_waits_for_settlement: true });
  await oweACent();
  const byBank = await site.send(
    callOf('makePayment', ids, { token: person.token, body: { payments, ...newAccount() } }),
  );
  const unsettled = await seesCode(site, person, record);
  for (const table of ['payment_intents', 'payment_intent_ledgers'] as const)
    await owner
      .updateTable(table)
      .set({ state: 'settled' })
      .where('state', '=', 'pending')
      .execute();
  const settled = await seesCode(site, person, record);
  await changeRows(owner, 'facilities', { gate_waits_for_settlement: false });
  await changeRows(owner, 'ledgers', { moved_out_on: today }, { id: ledgerId });
  const gone = await seesCode(site, person, record);
  await changeRows(owner, 'ledgers', { moved_out_on: null }, { id: ledgerId });
  return [
    mustBe('calls that show the gate code while nothing is owed', seen.before, 2),
    mustBe('calls that show it while one cent is owed', locked, 0),
    reported('status of paying the cent', paid.status, 'max'),
    mustBe('calls that show it once that is paid', after, 2),
    reported('status of paying another by bank, which has to settle first', byBank.status, 'max'),
    mustBe('calls that show it before that has settled', unsettled, 0),
    mustBe('calls that show it once it has', settled, 2),
    mustBe('calls that show it after moving out', gone, 0),
  ];
}

/** How many of the two calls for it contain the code of the paid rental. */
async function seesCode(site: Site, { token }: Person, record: TenantRecord): Promise<number> {
  const code = record.secrets.find(({ what }) => what === 'code-paid')!.text;
  const ids = idsOf(record, 'paid');
  const answers = [
    await site.send(callOf('listGateAccess', ids, { token })),
    await site.send(callOf('getUnitGateAccess', ids, { token })),
  ];
  return answers.filter(({ text }) => text.includes(code)).length;
}
