import { inflateSync } from 'node:zlib';

/**
 * The text of a PDF of ours, page by page: each printed run on a line, its letters by the font's
 * own ToUnicode table.
 */
export function pagesOf(pdf: Buffer): string[] {
  const objects = objectsOf(pdf);
  return [...runsOfPages(objects).values()].map((runs) => runs.map(({ text }) => text).join('\n'));
}

/** Where each run of a page is printed: points from the left, and from above to its baseline. */
export function placesOf(pdf: Buffer): { text: string; x: number; y: number }[][] {
  const height = 792;
  return [...runsOfPages(objectsOf(pdf)).values()].map((runs) =>
    runs.map(({ text, x, y }) => ({ text, x, y: height - y })),
  );
}

/** What a screen reader reads of a PDF of ours. */
export type Structure = {
  language: string | undefined;
  isTagged: boolean;
  /** Every element in its order, two spaces deeper than what holds it, such as `  H1 Receipt 7`. */
  outline: string[];
  /** What is printed outside of all elements and is not marked as decoration either. */
  unmarked: string[];
};

/** The structure tree of a PDF of ours, with the text of each element. */
export function structureOf(pdf: Buffer): Structure {
  const objects = objectsOf(pdf);
  const runs = runsOfPages(objects);
  const catalog = [...objects.values()].find(({ text }) => text.includes('/Type /Catalog'))!.text;
  const outline: string[] = [];
  const walk = (id: string, depth: number) => {
    const { text } = objects.get(id)!;
    const [, tag = ''] = /\/S \/(\w+)/.exec(text) ?? [];
    const [, scope] = /\/Scope \/(\w+)/.exec(text) ?? [];
    const [, kids = ''] = /\/K \[([\s\S]*?)\]\n/.exec(text) ?? [];
    // Its own page is behind its children, each of which may name another.
    const [, page = ''] = /\]\n\/Pg (\d+) 0 R/.exec(text) ?? [];
    const parts = [...kids.matchAll(/\/Pg (\d+) 0 R\s+\/MCID (\d+)|(\d+) 0 R|(\d+)/g)];
    const words = parts.flatMap(([, onPage = page, mark, , own = mark]) =>
      own === undefined ? [] : runs.get(onPage)!.filter((run) => run.mark === own),
    );
    const name = scope === undefined ? tag : `${tag}(${scope})`;
    const said = words.map((run) => run.text).join(' ');
    outline.push(`${'  '.repeat(depth)}${name} ${said}`.trimEnd());
    for (const [, , , child] of parts) if (child !== undefined) walk(child, depth + 1);
  };
  const [, root = ''] = /\/StructTreeRoot (\d+) 0 R/.exec(catalog) ?? [];
  const [, kids = ''] = /\/K \[?([^\]\n]*)/.exec(objects.get(root)?.text ?? '') ?? [];
  for (const [, id] of kids.matchAll(/(\d+) 0 R/g)) walk(id!, 0);
  return {
    language: /\/Lang \((.*?)\)/.exec(catalog)?.[1],
    isTagged: /\/Marked true/.test(objects.get(markInfoOf(catalog))?.text ?? catalog),
    outline,
    unmarked: [...runs.values()].flat().flatMap(({ mark, text }) => (mark === null ? [text] : [])),
  };
}

function markInfoOf(catalog: string): string {
  return /\/MarkInfo (\d+) 0 R/.exec(catalog)?.[1] ?? '';
}

/** A printed run, and the mark around it: its number on the page, `Artifact`, or null for none. */
type PdfRun = { text: string; mark: string | null; x: number; y: number };

/** The printed runs of each page, by the page's object. */
function runsOfPages(objects: Map<string, PdfObject>): Map<string, PdfRun[]> {
  const pages = [...objects].filter(([, { text }]) => /\/Type \/Page\b/.test(text));
  return new Map(
    pages.map(([id, { text }]) => {
      const [, contents = ''] = /\/Contents (\d+ 0 R|\[[^\]]*\])/.exec(text)!;
      const streams = idsIn(contents).map((part) => objects.get(part)!.stream!);
      return [id, runsOf(objects, text, streams.join('\n'))];
    }),
  );
}

const idsIn = (text: string) => [...text.matchAll(/(\d+) 0 R/g)].map(([, id]) => id!);

/** The runs of what a page or picture prints and of pictures in it; `text` has its resources. */
function runsOf(objects: Map<string, PdfObject>, text: string, stream: string): PdfRun[] {
  const resources = resourcesOf(objects, text);
  const fonts = new Map<string, Map<string, string>>();
  for (const [, name, id] of resources.matchAll(/\/(F\d+) (\d+) 0 R/g))
    fonts.set(name!, unicodesOf(objects, objects.get(id!)?.text ?? ''));
  const pictures = [...stream.matchAll(/\/(\S+) Do\b/g)].flatMap(([, name]) => {
    const [, id = ''] = new RegExp(`/${name} (\\d+) 0 R`).exec(resources) ?? [];
    const picture = objects.get(id);
    return picture?.text.includes('/Subtype /Form')
      ? runsOf(objects, picture.text, picture.stream!)
      : [];
  });
  return [...runsIn(stream, fonts), ...pictures];
}

function resourcesOf(objects: Map<string, PdfObject>, text: string): string {
  const more = [...text.matchAll(/\/(?:Resources|Font|XObject) (\d+) 0 R/g)];
  return [text, ...more.map(([, id]) => resourcesOf(objects, objects.get(id!)?.text ?? ''))].join();
}

type PdfObject = { text: string; stream: string | null };

function objectsOf(pdf: Buffer): Map<string, PdfObject> {
  const objects = new Map<string, PdfObject>();
  const source = pdf.toString('latin1');
  for (const match of source.matchAll(
    /(\d+) 0 obj\n([\s\S]*?)(?:stream\n([\s\S]*?)\nendstream\n)?endobj/g,
  )) {
    const [, id, text, data] = match;
    const bytes = data === undefined ? null : Buffer.from(data, 'latin1');
    const stream =
      bytes && (text!.includes('/FlateDecode') ? inflateSync(bytes) : bytes).toString('latin1');
    objects.set(id!, { text: text!, stream });
  }
  return objects;
}

function unicodesOf(objects: Map<string, PdfObject>, font: string): Map<string, string> {
  const unicodes = new Map<string, string>();
  const table = objects.get(/\/ToUnicode (\d+) 0 R/.exec(font)?.[1] ?? '')?.stream ?? '';
  for (const [, from, list] of table.matchAll(/<(\w+)> <\w+> \[([^\]]*)\]/g))
    for (const [index, [, hex]] of [...list!.matchAll(/<([\w ]*)>/g)].entries()) {
      const letters = (hex!.match(/\w{4}/g) ?? []).map((unit) =>
        String.fromCharCode(parseInt(unit, 16)),
      );
      unicodes.set((parseInt(from!, 16) + index).toString(16).padStart(4, '0'), letters.join(''));
    }
  return unicodes;
}

function runsIn(stream: string, fonts: Map<string, Map<string, string>>): PdfRun[] {
  let font = new Map<string, string>();
  let mark: string | null = null;
  let [x, y] = [0, 0];
  const runs: PdfRun[] = [];
  const tokens =
    /\/MCID (\d+)|\/(Artifact)\b|\b(EMC)\b|\/(F\d+) [\d.]+ Tf|\[([^\]]*)\] TJ|1 0 0 1 ([\d.]+) ([\d.]+) Tm/g;
  for (const [, number, artifact, end, name, array, left, up] of stream.matchAll(tokens)) {
    if (number !== undefined || artifact !== undefined) mark = number ?? artifact ?? null;
    else if (end !== undefined) mark = null;
    else if (left !== undefined) [x, y] = [Number(left), Number(up)];
    else if (name !== undefined) font = fonts.get(name)!;
    else {
      const glyphs = [...array!.matchAll(/<(\w+)>/g)].flatMap(([, hex]) => hex!.match(/\w{4}/g)!);
      runs.push({ mark, x, y, text: glyphs.map((glyph) => font.get(glyph) ?? '').join('') });
    }
  }
  return runs;
}
