/** A parsed form-encoded body or query, as Stripe reads it: `a[b]=1` is nested, `a[0]=1` a list. */
export type Form = { [name: string]: string | Form };

/** Reads `application/x-www-form-urlencoded` as Stripe does. */
export function readForm(text: string): Form {
  const form: Form = {};
  for (const [name, value] of new URLSearchParams(text)) {
    const path = name.split('[').map((part) => part.replace(/\]$/, ''));
    let place = form;
    for (const part of path.slice(0, -1)) place = (place[part] ??= {}) as Form;
    place[path.at(-1)!] = value;
  }
  return form;
}

/** A text at a path of names, or undefined. */
export function textAt(form: Form, ...path: string[]): string | undefined {
  let place: string | Form | undefined = form;
  for (const part of path) place = typeof place === 'object' ? place[part] : undefined;
  return typeof place === 'string' ? place : undefined;
}

/** A list at a name, empty where there is none. */
export function listAt(form: Form, name: string): string[] {
  const value = form[name];
  return typeof value === 'object'
    ? Object.values(value).filter((item) => typeof item === 'string')
    : [];
}
