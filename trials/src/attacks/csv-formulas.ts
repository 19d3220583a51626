import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { endpoints, type EndpointName } from '@gatehouse/contract/endpoints';
import { proofVault } from '../harness/world.ts';
import { mustBe, mustBeAtLeast, reported, type Proof } from '../harness/proof.ts';
import { exportFolder } from '@gatehouse/server/src/operator/imports/export.ts';
import { testClock } from '@gatehouse/server/test/test-day.ts';
import { idsWithPayLink } from '../harness/pay-links.ts';
import { callOf, idsOf, openSite, type Site } from '../harness/site.ts';

/** Types and names of what a spreadsheet opens. */
const SHEETS =
  /text\/(csv|tab-separated-values)|spreadsheet|vnd\.ms-excel|\.(csv|tsv|xlsx?|ods)\b/i;

const formulas = [
  '=HYPERLINK("http://evil.example","x")',
  '+1+1',
  '-1+1',
  '@SUM(1)',
  '\t=1',
  '=cmd|/c calc!A0',
];

/**
 * T20: the server answers nothing that a spreadsheet opens, and in the operator's export no formula
 * of a tenant's is one: it cannot become live.
 */
export const csvFormulas: Proof<{ formulas: number }> = {
  name: 'T20',
  title: 'Formulas in what tenants write, and whether anything that a spreadsheet opens comes out',
  sizes: { small: { formulas: 2 }, full: { formulas: formulas.length } },
  async run(size, _seed, stage) {
    await using site = await openSite(stage);
    const { a } = site.actors;
    // Of the rental with a payment, so that each read finds something.
    const { token } = await idsWithPayLink(site, a.records[0]);
    const ids = { ...idsOf(a.records[0], 'paid'), token };
    const reads = (Object.keys(endpoints) as EndpointName[]).filter(
      (name) => endpoints[name].method === 'GET',
    );
    let sheets = 0;
    let read = 0;
    const exported = { live: 0, marked: 0 };
    for (const [index, text] of formulas.slice(0, size.formulas).entries()) {
      const kept = await site.send(
        callOf('updateVehicle', ids, {
          token: a.token,
          body: { licensePlate: text.slice(0, 30), description: text },
        }),
      );
      if (kept.status !== 200) throw new Error(`the formula was refused: ${kept.text}`);
      for (const name of reads) {
        const {
          status,
          headers,
          text: answer,
        } = await site.send(
          callOf(name, ids, {
            token: a.token,
            headers: { accept: 'text/csv, application/vnd.ms-excel' },
          }),
        );
        if (status === 200) read += 1;
        const said = [
          headers['content-type'],
          headers['content-disposition'],
          /"(fileName|contentType)":"[^"]*"/g.exec(answer)?.join() ?? '',
        ];
        if (SHEETS.test(said.join(' '))) sheets += 1;
      }
      const { live, marked } = await exportOf(site, join(stage.folder, `export-${index}`));
      exported.live += live;
      exported.marked += marked;
    }
    const deaths = site.deaths();
    return [
      reported('reads', reads.length * size.formulas),
      mustBeAtLeast('reads that answered 200', read, reads.length * size.formulas),
      mustBe('answers that a spreadsheet opens', sheets, 0),
      mustBeAtLeast('cells of exports that begun as a formula', exported.marked, size.formulas),
      mustBe('cells of exports that are one', exported.live, 0),
      mustBe(
        'source files of the server that make such a file, but for the export',
        await countMakers(),
        0,
      ),
      mustBe('servers that ended by themselves', deaths, 0),
    ];
  },
};

/**
 * Cells that a spreadsheet would compute with, and those that were kept from it; a number below 0
 * is neither.
 */
async function exportOf({ db }: Site, folder: string): Promise<{ live: number; marked: number }> {
  const order = {
    db: db.owner,
    vault: proofVault,
    clock: testClock,
    facility: null,
    withSecrets: true,
    onProgress: () => {},
  };
  await exportFolder({ ...order, corporationCode: 'ANCHOR', folder });
  const names = await readdir(folder);
  const text = (await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')))).join(
    '',
  );
  const count = (pattern: RegExp) => text.match(pattern)?.length ?? 0;
  return {
    live: count(/(?:^|,)"?(?:[=+@\t]|-(?!\d+\.\d\d[,\r]))/gm),
    marked: count(/(?:^|,)"?'[=+@\t-]/gm),
  };
}

/**
 * The operator's commands import and export CSV; no code that serves requests may. `file-gate.ts`
 * writes CSV for the gate's software: names, codes and schedules of the operator (see there).
 */
const OPERATORS =
  /^(operator\/(imports\/|cli\/(import|export)\.ts$)|adapters\/gate\/file-gate\.ts$|config\/config\.ts$)/;

async function countMakers(): Promise<number> {
  const folder = new URL('../../../server/src/', import.meta.url);
  const names = (await readdir(folder, { recursive: true })).filter(
    (name) => /\.ts$/.test(name) && !name.endsWith('.test.ts') && !OPERATORS.test(name),
  );
  const texts = await Promise.all(names.map((name) => readFile(new URL(name, folder), 'utf8')));
  return texts.filter(
    (text) => SHEETS.test(text) || /\b(csv|xlsx)\b|operator\/imports\//i.test(text),
  ).length;
}
