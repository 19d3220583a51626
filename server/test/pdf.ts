import { inflateSync } from 'node:zlib';

/** The text of a PDF of ours, page by page: each printed run on a line, its letters by the font's own ToUnicode table. */
export function pagesOf(pdf: Buffer): string[] {
  const objects = objectsOf(pdf);
  const fonts = new Map<string, Map<string, string>>();
  for (const { text } of objects.values())
    for (const [, name, id] of text.matchAll(/\/(F\d+) (\d+) 0 R/g))
      fonts.set(name!, unicodesOf(objects, objects.get(id!)?.text ?? ''));
  const pages = [...objects.values()].filter(({ text }) => /\/Type \/Page\b/.test(text));
  return pages.map(({ text }) => textOf(objects.get(/\/Contents (\d+) 0 R/.exec(text)![1]!)!.stream!, fonts));
}

type PdfObject = { text: string; stream: string | null };

function objectsOf(pdf: Buffer): Map<string, PdfObject> {
  const objects = new Map<string, PdfObject>();
  const source = pdf.toString('latin1');
  for (const match of source.matchAll(/(\d+) 0 obj\n([\s\S]*?)(?:stream\n([\s\S]*?)\nendstream\n)?endobj/g)) {
    const [, id, text, data] = match;
    const bytes = data === undefined ? null : Buffer.from(data, 'latin1');
    const stream = bytes && (text!.includes('/FlateDecode') ? inflateSync(bytes) : bytes).toString('latin1');
    objects.set(id!, { text: text!, stream });
  }
  return objects;
}

function unicodesOf(objects: Map<string, PdfObject>, font: string): Map<string, string> {
  const unicodes = new Map<string, string>();
  const table = objects.get(/\/ToUnicode (\d+) 0 R/.exec(font)?.[1] ?? '')?.stream ?? '';
  for (const [, from, list] of table.matchAll(/<(\w+)> <\w+> \[([^\]]*)\]/g))
    for (const [index, [, hex]] of [...list!.matchAll(/<([\w ]*)>/g)].entries()) {
      const letters = (hex!.match(/\w{4}/g) ?? []).map((unit) => String.fromCharCode(parseInt(unit, 16)));
      unicodes.set((parseInt(from!, 16) + index).toString(16).padStart(4, '0'), letters.join(''));
    }
  return unicodes;
}

function textOf(stream: string, fonts: Map<string, Map<string, string>>): string {
  let font = new Map<string, string>();
  const lines: string[] = [];
  for (const [, name, array] of stream.matchAll(/\/(F\d+) [\d.]+ Tf|\[([^\]]*)\] TJ/g)) {
    if (name !== undefined) font = fonts.get(name)!;
    else {
      const glyphs = [...array!.matchAll(/<(\w+)>/g)].flatMap(([, hex]) => hex!.match(/\w{4}/g)!);
      lines.push(glyphs.map((glyph) => font.get(glyph) ?? '').join(''));
    }
  }
  return lines.join('\n');
}
