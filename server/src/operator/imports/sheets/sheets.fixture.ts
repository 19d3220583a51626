import { strToU8, zipSync } from 'fflate';

/** A sheet's cells; a number is a number in a workbook, and a `{ day }` one that Excel shows so. */
export type Cell = string | number | { day: number };

const escaped = (text: string) => text.replace(/[&<>"]/g, (mark) => `&#${mark.charCodeAt(0)};`);

function cellXml(cell: Cell): string {
  if (typeof cell === 'number') return `<c><v>${cell}</v></c>`;
  if (typeof cell === 'object') return `<c s="1"><v>${cell.day}</v></c>`;
  return `<c t="inlineStr"><is><t>${escaped(cell)}</t></is></c>`;
}

/** An .xlsx file of one sheet, as Excel packs it; `sheetXml` in the place of its rows. */
export function workbook(rows: Cell[][], sheetXml?: string): Uint8Array<ArrayBuffer> {
  const main = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"';
  const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
  const packages = 'http://schemas.openxmlformats.org/package/2006';
  const data = rows
    .map((row, index) => {
      const cells = row.map((cell, place) =>
        cellXml(cell).replace('<c', `<c r="${String.fromCharCode(65 + place)}${index + 1}"`),
      );
      return `<row r="${index + 1}">${cells.join('')}</row>`;
    })
    .join('');
  const parts = {
    '[Content_Types].xml': `<Types xmlns="${packages}/content-types"/>`,
    'xl/workbook.xml': `<workbook ${main} xmlns:r="${office}"><sheets><sheet name="Leases" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships xmlns="${packages}/relationships"><Relationship Id="rId1" Type="${office}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`,
    'xl/styles.xml': `<styleSheet ${main}><cellXfs count="2"><xf numFmtId="0"/><xf numFmtId="14"/></cellXfs></styleSheet>`,
    'xl/worksheets/sheet1.xml': `<worksheet ${main}><sheetData>${sheetXml ?? data}</sheetData></worksheet>`,
  };
  const packed: Record<string, Uint8Array> = {};
  for (const [name, xml] of Object.entries(parts))
    packed[name] = strToU8(`<?xml version="1.0" encoding="UTF-8"?>${xml}`);
  return new Uint8Array(zipSync(packed));
}
