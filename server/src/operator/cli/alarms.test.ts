import { randomUUID } from 'node:crypto';
import { alarm, type Alarm } from '@gatehouse/contract/alarms';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { raiseAlarm } from '#features/base/alarms/alarms.ts';
import { makeFacility } from '#seeds/builders.ts';
import { useTestApp } from '#test/app.ts';
import { cliOf, words } from '#test/cli.ts';
import { findRows } from '#test/rows.ts';
import { expectOneDone } from '#test/at-once.ts';

const api = useTestApp('empty_template');
let facilityId: string;
beforeAll(async () => {
  facilityId = await makeFacility(api.owner, {});
  await makeFacility(api.owner, { location_code: 'AZPHX01' });
});
beforeEach(async () => {
  await api.owner.deleteFrom('alarms').execute();
  const dispute = {
    kind: 'card_dispute' as const,
    sentence: 'A card payment is disputed.',
    facts: { cents: 100 },
  };
  await raiseAlarm(api.ctx, api.ctx.db, { ...dispute, key: 'one', facilityId });
  const gateway = {
    kind: 'gateway_events_unhandled' as const,
    sentence: 'Events wait.',
    facts: {},
  };
  await raiseAlarm(api.ctx, api.ctx.db, { ...gateway, key: 'two', facilityId: null });
});

const cli = cliOf(api, 'alarms');
const list = async (...more: string[]) =>
  (JSON.parse(await cli('list', ...more, '--json')) as { alarms: Alarm[] }).alarms.map((one) =>
    alarm.parse(one),
  );
const closed = () =>
  api.owner
    .selectFrom('alarms')
    .select(['closed_by', 'closed_why'])
    .where('closed_at', 'is not', null)
    .execute();

describe('alarms list and show', () => {
  test('say what is open, since when and what to do, of one facility or of all', async () => {
    const [newest, first] = await list();
    expect([newest!.sentence, newest!.facility, first!.facility]).toEqual([
      'Events wait.',
      null,
      'TXDFW03',
    ]);
    expect((await list('--facility', 'TXDFW03')).map(({ id }) => id)).toEqual([first!.id]);
    const shown = await cli('show', '--alarm', first!.id);
    expect(shown).toContain('Answer the dispute in the gateway’s dashboard before its day.');
    expect(shown).toContain('{"cents":100}');
    await expect(cli('show', '--alarm', randomUUID())).rejects.toThrow('There is no alarm');
  });
});

describe('alarms close', () => {
  test('closes an alarm once under a key, with who and why; its preview closes none', async () => {
    const [, first] = await list();
    expect(await cli('close', '--alarm', first!.id, '--dry-run')).toContain(
      'A card payment is disputed.',
    );
    expect(await closed()).toEqual([]);
    const args = words`close --alarm ${first!.id} --by Ana --why won --key ${randomUUID()} --json`;
    const answers = await Promise.all([cli(...args), cli(...args)]);
    expect(new Set(answers).size).toBe(1);
    expect(await closed()).toEqual([{ closed_by: 'Ana', closed_why: 'won' }]);
    expect((await list()).map(({ kind }) => kind)).toEqual(['gateway_events_unhandled']);
    expect((await list('--all')).map((one) => one.closed?.by)).toEqual([undefined, 'Ana']);
    expect(await cli('show', '--alarm', first!.id)).toMatch(/closed +at .+, by Ana, why won/);
    const events = await findRows(api.owner, 'audit_events', 'details', { kind: 'staff_action' });
    expect(events).toMatchObject([
      { details: { verb: 'alarms.close', alarm: first!.id, by: 'Ana', why: 'won' } },
    ]);
  });

  test('keeps no number of a card or account of who and why', async () => {
    const [, first] = await list();
    await cli(
      ...words`close --alarm ${first!.id} --by Ana`,
      ...['--why', 'card 4242424242424242, account 000123456789'],
    );
    expect(await closed()).toEqual([
      { closed_by: 'Ana', closed_why: 'card [number], account [number]' },
    ]);
  });

  test('by two members of staff at once is done by one of them', async () => {
    const [, first] = await list();
    await expectOneDone([cli('close', '--alarm', first!.id), cli('close', '--alarm', first!.id)]);
    await expect(cli('close', '--alarm', first!.id)).rejects.toThrow(
      'This alarm is closed already.',
    );
  });

  test('of none, or of another facility’s, is refused', async () => {
    const [, first] = await list();
    await expect(cli('close', '--alarm', randomUUID())).rejects.toThrow('There is no alarm');
    await expect(cli('close', '--alarm', first!.id, '--facility', 'AZPHX01')).rejects.toThrow(
      'There is no alarm',
    );
    expect(await closed()).toEqual([]);
  });
});
