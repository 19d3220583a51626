/**
 * What of the style sheet a page's HTML is painted with. The whole sheet follows it, in the same
 * order and layers, so that nothing changes but what is there first.
 */

/** A rule of a style sheet: a style rule, or an at-rule with rules or declarations in it. */
type Rule = { prelude: string; rules: Rule[]; declarations: string[] };

/** Classes that a script sets before the whole sheet is there (src/app/before-paint.ts). */
const SET_BY_SCRIPT = ['several-records'];

/** The rules of a minified style sheet that its page can use by the classes in its HTML. */
export function pageStyle(sheet: string, html: string): string {
  const classes = new Set(SET_BY_SCRIPT);
  for (const [, names = ''] of html.matchAll(/ class="([^"]*)"/g))
    for (const name of names.replaceAll('&amp;', '&').replaceAll('&gt;', '>').split(/\s+/))
      classes.add(name);
  let kept = keptOf(parse(sheet), classes);
  // A custom property may be the only use of another.
  for (let length = 0; length !== print(kept).length; kept = withoutUnused(kept))
    length = print(kept).length;
  return print(kept);
}

function keptOf(rules: Rule[], classes: Set<string>): Rule[] {
  return rules.flatMap((rule) => {
    if (!rule.prelude.startsWith('@')) {
      const selectors = splitAt(rule.prelude, ',').filter((selector) => isUsed(selector, classes));
      return selectors.length > 0 ? [{ ...rule, prelude: selectors.join(',') }] : [];
    }
    if (rule.prelude === '@media print') return [];
    if (rule.rules.length === 0) return [rule];
    const inside = keptOf(rule.rules, classes);
    // An empty layer still names its place among the others.
    return inside.length > 0 || rule.prelude.startsWith('@layer')
      ? [{ ...rule, rules: inside }]
      : [];
  });
}

/** Whether every class that a selector names is there. */
function isUsed(selector: string, classes: Set<string>): boolean {
  const names = selector.matchAll(/\.((?:\\[\da-f]{1,6} ?|\\.|[\w-])+)/g);
  return [...names].every(([, name = '']) =>
    classes.has(
      name
        .replace(/\\([\da-f]{1,6}) ?/g, (_, code: string) =>
          String.fromCodePoint(parseInt(code, 16)),
        )
        .replaceAll('\\', ''),
    ),
  );
}

/** The rules without custom properties, animations and fonts that nothing in them uses. */
function withoutUnused(rules: Rule[]): Rule[] {
  const text = print(rules);
  const isNamed = (name: string) => new RegExp(`var\\(${name}[,)]`).test(text);
  return rules.flatMap(function keep(rule): Rule[] {
    const [, kind, name = ''] = /^@(property|keyframes) (.*)$/.exec(rule.prelude) ?? [];
    if (kind === 'property' && !isNamed(name)) return [];
    if (kind === 'keyframes' && !new RegExp(`animation[^;}]*\\b${name}\\b`).test(text)) return [];
    const declarations = rule.declarations.filter((one) => {
      const [, custom] = /^(--[\w-]+):/.exec(one) ?? [];
      return custom === undefined || isNamed(custom);
    });
    const inside = rule.rules.flatMap(keep);
    const isEmpty = declarations.length === 0 && inside.length === 0;
    return isEmpty && !rule.prelude.startsWith('@layer')
      ? []
      : [{ ...rule, declarations, rules: inside }];
  });
}

/** At-rules that hold rules; the others hold what is taken as it is. */
const grouping = /^@(media|layer|supports|container)/;

function parse(sheet: string): Rule[] {
  const rules: Rule[] = [];
  for (const text of splitAt(sheet.replace(/\/\*.*?\*\//gs, ''), '}', ';')) {
    const start = text.indexOf('{');
    const prelude = start < 0 ? text : text.slice(0, start);
    const body = start < 0 ? '' : text.slice(start + 1);
    if (grouping.test(prelude)) rules.push({ prelude, rules: parse(body), declarations: [] });
    else if (start < 0) rules.push({ prelude, rules: [], declarations: [] });
    else {
      const isPlain = !prelude.startsWith('@') || prelude.startsWith('@property');
      rules.push({ prelude, rules: [], declarations: isPlain ? splitAt(body, ';') : [body] });
    }
  }
  return rules;
}

/**
 * The pieces of a text that end with one of the characters, which are not among them. What stands
 * in quotes, brackets or braces is not looked at; a closing brace ends what it closes.
 */
function splitAt(text: string, ...ends: string[]): string[] {
  const pieces: string[] = [];
  let depth = 0;
  let start = 0;
  for (const { 0: token, index } of text.matchAll(/\\.|"[^"]*"|'[^']*'|[{}()[\],;]/g)) {
    if ('([{'.includes(token)) depth += 1;
    if (')]}'.includes(token)) depth -= 1;
    if (depth > 0 || !ends.includes(token)) continue;
    pieces.push(text.slice(start, index).trim());
    start = index + 1;
  }
  return [...pieces, text.slice(start).trim()].filter((piece) => piece !== '');
}

function print(rules: Rule[]): string {
  return rules
    .map(({ prelude, rules: inside, declarations }) =>
      inside.length + declarations.length === 0
        ? `${prelude};`
        : `${prelude}{${print(inside)}${declarations.join(';')}}`,
    )
    .join('');
}
