import { expect } from 'vitest';
import type { ImportRun } from '@gatehouse/contract/office/imports';
import { runImport } from '#features/desk/office/imports.ts';
import { reportIn } from '#app/lease-importer.ts';
import { runOrder } from '../src/operator/imports/sheets/import-order.ts';
import type { TestApp } from './app.ts';
import { urlOf } from './cli.ts';
import { callOffice, signInStaff } from './office.ts';

/** A lease sheet of three rentals in units that are not here yet. */
export const sheet = [
  'Unit,Type,Size,Tenant,Move In,Paid Thru,Rent,Balance,Email,Notes',
  'N901,RV,12x40,Novak Iva,1/15/24,11/30/26,200,0,iva.novak@example.com,likes boats',
  'N902,RV,12x40,Novak Jan,2/15/24,11/30/26,210,50,jan.novak@example.com,',
  'N903,RV,12x40,Kim Sun,3/15/24,11/30/26,220,0,,',
].join('\n');

type Wanted = {
  remedies?: string[];
  joined?: string[];
  isPreview?: boolean;
  locationCode?: string;
  as?: string;
};

const bodyOf = (
  files: { name: string; bytes: Uint8Array }[],
  { remedies = [], joined = [], isPreview = true, locationCode = 'TXDFW03' }: Wanted = {},
) => ({
  isPreview,
  files: files.map(({ name, bytes }) => ({ name, bytes: bytes.length })),
  data: `data:application/octet-stream;base64,${Buffer.concat(files.map(({ bytes }) => bytes)).toString('base64')}`,
  locationCode,
  columns: {},
  remedies,
  joined,
  lateFrom: null,
});

/** What tests of imports in the office do. */
export function importsOf(api: TestApp) {
  /** Asks for an import; its job is not run. */
  async function ask(files: { name: string; bytes: Uint8Array }[], wanted: Wanted = {}) {
    const as = wanted.as ?? (await signInStaff(api, 'owner'));
    const body = bodyOf(files, wanted);
    return callOffice(api, 'POST', '/office/imports', { as, body });
  }

  const read = async (importId: string) =>
    (
      await callOffice(api, 'GET', `/office/imports/${importId}`, {
        as: await signInStaff(api, 'owner'),
      })
    ).body as ImportRun;
  const cancel = async (importId: string) => {
    const as = await signInStaff(api, 'owner');
    return callOffice(api, 'POST', `/office/imports/${importId}/cancel`, { as, body: {} });
  };

  /** Asks for an import, runs its job, and reads what came of it. */
  async function send(files: { name: string; bytes: Uint8Array }[], wanted: Wanted = {}) {
    const { status, body } = await ask(files, wanted);
    expect([status, body.message]).toEqual([200, undefined]);
    await runImport(api.ctx, body.importId);
    const run = await read(body.importId);
    return { run, body: run.report! };
  }

  const csv = (text: string = sheet) => [
    { name: 'rent-roll.csv', bytes: new Uint8Array(Buffer.from(text)) },
  ];

  return { ask, cancel, csv, read, send };
}

/**
 * Runs the app's imports in the process of the test: a thread would load the server's code for
 * each. Not for what a thread is for: a cut at a time, or a cancelled run.
 */
export async function importInProcess(api: TestApp): Promise<void> {
  const url = await urlOf(api);
  api.ctx.importLeases = async (order, refusalOf, { onProgress }) =>
    reportIn(await runOrder({ url, config: api.ctx.config, order }, onProgress), refusalOf);
}
