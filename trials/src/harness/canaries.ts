/** A secret that occurs nowhere else, and the prefixes of the places where it may occur. */
export type Canary = { what: string; text: string; allowed: string[] };

/** A finding: the secret, its encoding, and the place. */
export type Hit = { what: string; form: string; place: string };

/** A searched text, or `bytes` of binary data. */
export type Place = { place: string; text: string };

/** Shorter pieces would occur by chance. */
const LEAST_LENGTH = 6;

/** Every encoding in which a leak is searched, by name. */
export function formsOf(text: string): Map<string, string> {
  const bytes = Buffer.from(text);
  const hex = bytes.toString('hex');
  const forms: [string, string][] = [
    ['as it is', text],
    ['reversed', Array.from(text).toReversed().join('')],
    ['in hex', hex],
    ['in capital hex', hex.toUpperCase()],
    ['in a URL', encodeURIComponent(text)],
    ['escaped', JSON.stringify(text).slice(1, -1)],
    ...[' ', '-', '.'].flatMap((gap): [string, string][] => [
      [`its characters apart by "${gap}"`, Array.from(text).join(gap)],
      [`in fours by "${gap}"`, (text.match(/.{1,4}/gu) ?? []).join(gap)],
    ]),
    // Where it begins within a longer text decides what its base64 looks like.
    ...[0, 1, 2].map((offset): [string, string] => [
      `in base64 at ${offset}`,
      base64At(bytes, offset),
    ]),
    ...[0, 1, 2].map((offset): [string, string] => [
      `in base64url at ${offset}`,
      base64At(bytes, offset).replaceAll('+', '-').replaceAll('/', '_'),
    ]),
  ];
  const kept = forms.filter(
    ([name, form]) => name === 'as it is' || (form !== text && form.length >= LEAST_LENGTH),
  );
  return new Map(kept);
}

/** The characters of base64 that only the bytes decide. */
function base64At(bytes: Buffer, offset: number): string {
  const whole = Buffer.concat([Buffer.alloc(offset), bytes]).toString('base64');
  return whole.slice(Math.ceil((offset * 8) / 6), Math.floor(((offset + bytes.length) * 8) / 6));
}

/** Finds every encoding of every canary in every place where it may not occur. */
export function searchFor(canaries: Canary[], places: Place[]): Hit[] {
  const sought = canaries.map((canary) => ({ ...canary, forms: [...formsOf(canary.text)] }));
  return places.flatMap(({ place, text }) =>
    sought
      .filter(({ allowed }) => !allowed.some((name) => place.startsWith(name)))
      .flatMap(({ what, forms }) =>
        forms
          .filter(([, form]) => text.includes(form))
          .map(([form]): Hit => ({ what, form, place })),
      ),
  );
}
