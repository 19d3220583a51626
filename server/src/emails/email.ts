/**
 * A part of a mail, as plain text: whatever it holds is shown as it is, never as markup or a link. `facts` are rows of label
 * and value. `link` alone is one, to an address below the portal's own.
 */
export type Block =
  | { kind: 'paragraph'; text: string }
  | { kind: 'code'; text: string }
  | { kind: 'facts'; facts: [label: string, value: string][] }
  | { kind: 'link'; label: string; url: string };

/** A mail before it is laid out. */
export type Email = { subject: string; blocks: Block[] };

/** Who the mail is from, as its head and foot show it: the operator's name and the portal's address. */
export type Brand = { name: string; url: string };
