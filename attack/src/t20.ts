import { readdir, readFile } from 'node:fs/promises';
import { endpoints, type EndpointName } from '@gatehouse/contract/endpoints';
import { mustBe, mustBeAtLeast, told, type Proof } from '@gatehouse/proof/src/proof.ts';
import { callOf, idsOf, openSite } from './harness/site.ts';

/** Types and names of what a spreadsheet opens. */
const SHEETS = /text\/(csv|tab-separated-values)|spreadsheet|vnd\.ms-excel|\.(csv|tsv|xlsx?|ods)\b/i;

const formulas = ['=HYPERLINK("http://evil.example","x")', '+1+1', '-1+1', '@SUM(1)', '\t=1', '=cmd|/c calc!A0'];

/** T20: there is nothing that a spreadsheet opens, so no formula of a tenant's can become live in one. */
export const t20: Proof<{ formulas: number }> = {
  name: 'T20',
  title: 'Formulas in what tenants write, and whether anything that a spreadsheet opens comes out',
  sizes: { small: { formulas: 2 }, full: { formulas: formulas.length } },
  async run(size, _seed, stage) {
    const site = await openSite(stage);
    const { a } = site.cast;
    // Of the rental with a payment, so that each read finds something.
    const ids = idsOf(a.records[0], 'paid');
    const reads = (Object.keys(endpoints) as EndpointName[]).filter((name) => endpoints[name].method === 'GET');
    let sheets = 0;
    let read = 0;
    for (const text of formulas.slice(0, size.formulas)) {
      const kept = await site.send(
        callOf('updateVehicle', ids, { token: a.token, body: { licensePlate: text.slice(0, 30), description: text } }),
      );
      if (kept.status !== 200) throw new Error(`the formula was refused: ${kept.text}`);
      for (const name of reads) {
        const {
          status,
          headers,
          text: answer,
        } = await site.send(
          callOf(name, ids, { token: a.token, headers: { accept: 'text/csv, application/vnd.ms-excel' } }),
        );
        if (status === 200) read += 1;
        const said = [
          headers['content-type'],
          headers['content-disposition'],
          /"(fileName|contentType)":"[^"]*"/g.exec(answer)?.join() ?? '',
        ];
        if (SHEETS.test(said.join(' '))) sheets += 1;
      }
    }
    const deaths = site.deaths();
    await site.close();
    return [
      told('reads', reads.length * size.formulas),
      mustBeAtLeast('reads that answered 200', read, reads.length * size.formulas),
      mustBe('answers that a spreadsheet opens', sheets, 0),
      mustBe('source files of the server that make such a file', await countMakers(), 0),
      mustBe('servers that ended by themselves', deaths, 0),
    ];
  },
};

async function countMakers(): Promise<number> {
  const folder = new URL('../../server/src/', import.meta.url);
  const names = (await readdir(folder, { recursive: true })).filter(
    (name) => /\.ts$/.test(name) && !name.endsWith('.test.ts'),
  );
  const texts = await Promise.all(names.map((name) => readFile(new URL(name, folder), 'utf8')));
  return texts.filter((text) => SHEETS.test(text) || /\b(csv|xlsx)\b/i.test(text)).length;
}
