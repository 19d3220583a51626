import { addDays, calendarDateIn } from '@gatehouse/contract/dates';
import type { RentalPapers } from '@gatehouse/contract/vehicle-papers';
import { sql } from 'kysely';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { signIn, type SignedIn, useTestApp } from '#test/app.ts';
import { changeRows, findRows } from '#test/rows.ts';

const NOT_FOUND = [404, { message: 'Not found.' }];
const DONE = [200, { success: true }];
const trailer = { contents: 'vehicle:1UYVS2538GU', licensePlate: '77 TRL', description: 'Trailer' };
const skiff = { contents: 'boat:ABC12345D404', licensePlate: 'TX - 1', description: 'Skiff' };

let dana: SignedIn;
let lee: SignedIn;
let today: string;
/** Of Dana’s: one whose contents were never entered, and one with a boat, its details and plate. */
let a101: string;
let b207: string;
const api = useTestApp('demo_template');
beforeAll(async () => {
  dana = await signIn(api, 'dana@example.com');
  lee = await signIn(api, 'lee@example.com');
  today = calendarDateIn('America/Chicago', api.ctx.clock.now());
  const rentals = await list();
  [a101, b207] = ['A101', 'B207'].map(
    (name) => rentals.find(({ unitName }) => unitName === name)!.ledgerId,
  ) as [string, string];
});
beforeEach(() =>
  sql`
    DELETE FROM vehicle_papers;
    DELETE FROM further_vehicles;
    TRUNCATE limit_counts;
    DELETE FROM unit_contents WHERE ledger_id = ${sql.lit(a101)};
    DELETE FROM vehicles WHERE ledger_id = ${sql.lit(a101)};
    UPDATE unit_contents SET contents = 'boat:MRC77301K819' WHERE ledger_id = ${sql.lit(b207)};`.execute(
    api.owner,
  ),
);

const tenantPath = (by: SignedIn) => `${by.prefix}/tenants/${by.tenantIds[0]}`;
const list = async (by = dana) =>
  (await api.call('GET', `${tenantPath(by)}/vehicle-papers`, { token: by.token }))
    .body as RentalPapers[];
const rentalOf = async (ledgerId = b207) =>
  (await list()).find((rental) => rental.ledgerId === ledgerId)!;
const ofRental = (path: string, body: object, ledgerId = b207, by = dana, of = by) =>
  answerOf(
    api.call('POST', `${tenantPath(of)}/ledgers/${ledgerId}/${path}`, { token: by.token, body }),
  );
const save = (body: object, ledgerId?: string, by?: SignedIn) =>
  ofRental('vehicles', body, ledgerId, by);
const remove = (vehicleId: string, ledgerId?: string, by?: SignedIn) =>
  ofRental('vehicle-removal', { vehicleId }, ledgerId, by);
const file = (more: object = {}, ledgerId?: string) =>
  ofRental(
    'vehicle-papers',
    {
      kind: 'registration',
      number: 'TX-88120042',
      expiresOn: addDays(today, 300),
      fileData: `data:application/pdf;base64,${Buffer.from('%PDF-1.7\n').toString('base64')}`,
      ...more,
    },
    ledgerId,
  );
const show = (vehicleId: string, by = dana, ledgerId = b207) =>
  api.call(
    'GET',
    `${tenantPath(by)}/ledgers/${ledgerId}/vehicle-papers/registration?vehicleId=${vehicleId}`,
    { token: by.token },
  );
const contentsOf = async (ledgerId = b207) => {
  const { body } = await api.call('GET', `${dana.prefix}/ledgers/${ledgerId}/unit-contents`, dana);
  return (body as { contents: string }).contents;
};
/** The vehicle of the rental as the specification's list has it. */
const firstOf = async (ledgerId = b207) => {
  const { body } = await api.call('GET', `${tenantPath(dana)}/ledgers`, dana);
  return (body as { id: string; vehicle: object | null }[]).find(({ id }) => id === ledgerId)!
    .vehicle;
};
const addTrailer = async () => {
  await save(trailer);
  return (await rentalOf()).further[0]!.vehicleId!;
};
const papers = () =>
  api.owner.selectFrom('vehicle_papers').selectAll().orderBy('created_at').execute();

describe('a further vehicle of a rental', () => {
  // spec 10.94
  test('is added after the first, which the lists of the specification keep', async () => {
    const before = await firstOf();
    expect(await save(trailer)).toEqual(DONE);
    expect(await save(skiff)).toEqual(DONE);
    const { first, further } = await rentalOf();
    expect(first).toMatchObject({ contents: 'boat:MRC77301K819' });
    expect(further).toMatchObject([trailer, skiff]);
    expect(await firstOf()).toEqual(before);
    expect(await contentsOf()).toBe('boat:MRC77301K819');
  });

  test('is the first where the contents were not entered or are household items', async () => {
    expect(await save(trailer, a101)).toEqual(DONE);
    expect(await contentsOf(a101)).toBe(trailer.contents);
    const { contents: _, ...details } = trailer;
    expect(await firstOf(a101)).toEqual(details);
    expect((await rentalOf(a101)).further).toEqual([]);
    const changes = await findRows(api.owner, 'unit_contents_changes', 'contents', {
      ledger_id: a101,
    });
    expect(changes).toEqual([{ contents: trailer.contents }]);
    await changeRows(api.owner, 'unit_contents', { contents: 'none:' });
    expect(await save(skiff, a101)).toEqual(DONE);
    expect(await contentsOf(a101)).toBe(skiff.contents);
  });

  test('is one where it is sent again, also ten times at once', async () => {
    const answers = await Promise.all(Array.from({ length: 10 }, () => save(trailer)));
    for (const answer of answers) expect(answer).toEqual(DONE);
    expect((await rentalOf()).further).toHaveLength(1);
  });

  test('is changed by its id, and is then none of the others', async () => {
    const vehicleId = await addTrailer();
    await save(skiff);
    expect(await save({ ...trailer, vehicleId, description: ' Flatbed ' })).toEqual(DONE);
    expect((await rentalOf()).further.map(({ description }) => description)).toEqual([
      'Flatbed',
      'Skiff',
    ]);
    const taken = [422, { message: 'This vehicle or boat is already entered for the unit.' }];
    expect(await save({ ...skiff, vehicleId })).toEqual(taken);
    expect(await save({ ...skiff, contents: 'boat:MRC77301K819', vehicleId })).toEqual(taken);
  });

  test('is one of six of a rental at most, also when sent at once', async () => {
    const answers = await Promise.all(
      Array.from({ length: 7 }, (_, nth) => save({ ...trailer, contents: `vehicle:V${nth}` })),
    );
    expect(answers.filter(([status]) => status === 200)).toHaveLength(5);
    expect(answers.find(([status]) => status === 422)).toEqual([
      422,
      { message: 'A unit can have 6 vehicles and boats here. Please remove one first.' },
    ]);
  });

  test('counts as a change of the contents, of which there are thirty an hour', async () => {
    const { config } = api.ctx;
    const wide = config.limits;
    config.limits = { ...wide, 'content-changes-an-hour': { most: 1, seconds: 3600 } };
    try {
      expect([(await save(trailer))[0], (await save(skiff))[0]]).toEqual([200, 429]);
      expect((await rentalOf()).further).toHaveLength(1);
    } finally {
      config.limits = wide;
    }
  });

  test.each([
    [{ contents: 'none:' }, 'A vehicle needs its VIN and a boat its HIN.'],
    [{ contents: 'boat: ' }, 'A vehicle needs its VIN and a boat its HIN.'],
    [{ licensePlate: '' }, 'License plate is required.'],
    [{ description: ' ' }, 'Description is required.'],
    [{ description: 'x'.repeat(201) }, 'Description is too long.'],
  ])('with %j is refused with a sentence, and nothing is written', async (change, message) => {
    expect(await save({ ...trailer, ...change })).toEqual([422, { message }]);
    expect((await rentalOf()).further).toEqual([]);
  });
});

describe('each vehicle of a rental', () => {
  // spec 10.94
  test('has its own registration and insurance, and files with names that tell them apart', async () => {
    const vehicleId = await addTrailer();
    await file({ number: 'FIRST-0001' });
    await file({ number: 'OTHER-0002', vehicleId });
    await file({ number: 'OTHER-0003', vehicleId, kind: 'insurance' });
    const { first, further } = await rentalOf();
    expect(first!.papers.map(({ number }) => number)).toEqual(['****0001']);
    expect(further[0]!.papers.map(({ number }) => number)).toEqual(['****0002', '****0003']);
    expect((await show(vehicleId)).body.fileName).toBe('registration-B207-Trailer.pdf');
    expect((await show(first!.vehicleId!)).body.fileName).toBe('registration-B207.pdf');
    await file({ number: 'OTHER-0004', vehicleId });
    expect((await rentalOf()).first!.papers.map(({ number }) => number)).toEqual(['****0001']);
    expect((await rentalOf()).further[0]!.papers[0]!.number).toBe('****0004');
    expect(await ofRental('vehicle-paper-removal', { kind: 'registration', vehicleId })).toEqual(
      DONE,
    );
    expect((await rentalOf()).first!.papers).toHaveLength(1);
    expect((await rentalOf()).further[0]!.papers.map(({ kind }) => kind)).toEqual(['insurance']);
  });

  test('is removed with its papers on file; replaced ones stay for their time', async () => {
    const vehicleId = await addTrailer();
    await file();
    await file({ vehicleId });
    await file({ vehicleId });
    expect(await remove(vehicleId)).toEqual(DONE);
    expect((await rentalOf()).further).toEqual([]);
    expect((await rentalOf()).first!.papers).toHaveLength(1);
    expect((await papers()).map(({ replaced_at }) => replaced_at !== null)).toEqual([false, true]);
    expect(await remove(vehicleId)).toEqual(NOT_FOUND);
  });

  test('gives its place to the next where it was the first, with the contents and papers', async () => {
    const vehicleId = await addTrailer();
    await save(skiff);
    await file({ number: 'FIRST-0001' });
    await file({ number: 'OTHER-0002', vehicleId });
    const { vehicleId: firstId } = (await rentalOf()).first!;
    expect(await remove(firstId!)).toEqual(DONE);
    const { first, further } = await rentalOf();
    expect(first).toMatchObject({ ...trailer, vehicleId, papers: [{ number: '****0002' }] });
    expect(further).toMatchObject([skiff]);
    expect(await contentsOf()).toBe(trailer.contents);
    expect(await firstOf()).toEqual({ licensePlate: '77 TRL', description: 'Trailer' });
    // Sent again it takes no other.
    expect(await remove(firstId!)).toEqual(NOT_FOUND);
  });

  test('leaves household items where it was the only one', async () => {
    await save(trailer, a101);
    await file({}, a101);
    const { vehicleId } = (await rentalOf(a101)).first!;
    expect(await remove(vehicleId!, a101)).toEqual(DONE);
    expect(await contentsOf(a101)).toBe('none:');
    expect(await firstOf(a101)).toBeNull();
    expect(await rentalOf(a101)).toMatchObject({ first: null, further: [] });
    expect(await papers()).toEqual([]);
  });
});

describe('another tenant', () => {
  // spec 7.87
  test('reaches no vehicle, whatever ids are combined: 404, and nothing changes', async () => {
    const vehicleId = await addTrailer();
    await file({ vehicleId });
    const leesLedger = (await list(lee))[0]!.ledgerId;
    const before = [await rentalOf(), await papers()];
    const body = { ...skiff, vehicleId };
    for (const answer of [
      await save(body, b207, lee),
      await save(body, leesLedger, lee),
      await ofRental('vehicles', skiff, b207, lee, dana),
      await remove(vehicleId, b207, lee),
      await remove(vehicleId, leesLedger, lee),
      await remove(vehicleId, a101),
      await file({ vehicleId }, a101),
      await answerOf(show(vehicleId, lee)),
      await answerOf(show(vehicleId, lee, leesLedger)),
      await answerOf(show(vehicleId, dana, a101)),
    ])
      expect(answer).toEqual(NOT_FOUND);
    expect([await rentalOf(), await papers()]).toEqual(before);
  });

  test('nor does the database take a paper of a vehicle of another rental', async () => {
    const vehicleId = await addTrailer();
    await file({}, a101);
    await expect(
      changeRows(api.owner, 'vehicle_papers', { vehicle_id: vehicleId }),
    ).rejects.toMatchObject({ code: '23503' });
  });
});

async function answerOf(call: Promise<{ status: number; body: unknown }>) {
  const { status, body } = await call;
  return [status, body];
}
