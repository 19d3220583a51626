/**
 * A part of a mail, as plain text: whatever it holds is shown as it is, never as markup or a link.
 * `facts` are rows of label and value.
 */
export type Block =
  | { kind: 'paragraph'; text: string }
  | { kind: 'code'; text: string }
  | { kind: 'facts'; facts: [label: string, value: string][] };

/** A mail before it is laid out. */
export type Email = { subject: string; blocks: Block[] };

/** Who the mail is from, as its head and foot show it: the operator's name and the portal's address. */
export type Brand = { name: string; url: string };
