import { readdir, readFile } from 'node:fs/promises';
import ts from 'typescript';

/** A regex of the source, by the file that has it. */
export type SourceRegex = { file: string; regex: RegExp };

const root = new URL('../../../', import.meta.url);

/** Every regex that the contract's and the server's own code has, tests aside. */
export async function sourceRegexes(): Promise<SourceRegex[]> {
  const found: SourceRegex[] = [];
  for (const folder of ['contract/src/', 'server/src/']) {
    const names = await readdir(new URL(folder, root), { recursive: true });
    for (const name of names.filter(
      (one) => one.endsWith('.ts') && !/\.(test|fixture|contract)\.ts$/.test(one),
    ))
      found.push(...regexesOf(folder + name, await readFile(new URL(folder + name, root), 'utf8')));
  }
  return found;
}

/**
 * The regexes that a file's text has, as literals or made from a text. Throws for one that is made
 * from anything else.
 */
export function regexesOf(file: string, text: string): SourceRegex[] {
  const found: SourceRegex[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isRegularExpressionLiteral(node)) {
      const [, source = '', flags = ''] = /^\/(.*)\/(\w*)$/s.exec(node.text) ?? [];
      found.push({ file, regex: new RegExp(source, flags) });
    } else if (ts.isNewExpression(node) && node.expression.getText() === 'RegExp') {
      const [source] = node.arguments ?? [];
      if (source === undefined || !ts.isStringLiteralLike(source))
        throw new Error(`${file} makes a regex that cannot be read: ${node.getText()}`);
      found.push({ file, regex: new RegExp(source.text) });
    }
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true));
  return found;
}

/**
 * Texts of this many characters that make a regex go back and forth: what it is made of over and
 * over, singly and in `pairs`, with an end or a start that fits nowhere.
 */
export function* slowTexts({ source }: RegExp, length: number, pairs: number): Generator<string> {
  const letters = [...new Set(Array.from(`${source}a0 @.-_/,:"=<&\n\\`))];
  for (const letter of letters) {
    yield letter.repeat(length) + '\u0001';
    yield '\u0001' + letter.repeat(length);
  }
  const twos = letters.flatMap((one) => letters.map((other) => one + other));
  for (let index = 0; index < Math.min(pairs, twos.length); index += 1) {
    const two = twos[Math.floor((index * twos.length) / Math.min(pairs, twos.length))]!;
    yield two.repeat(length / 2) + '\u0001';
  }
}

/**
 * Milliseconds of processor time that the regex takes for a text, the least of three where it is
 * much.
 */
export function costOf(regex: RegExp, text: string): number {
  let least = Infinity;
  for (let round = 0; round < 3; round += 1) {
    const whole = new RegExp(regex.source, regex.flags.replace('y', ''));
    const begun = process.cpuUsage();
    text.replace(whole, '');
    const { user, system } = process.cpuUsage(begun);
    least = Math.min(least, (user + system) / 1000);
    if (least < 20 || least > 1000) break;
  }
  return least;
}
