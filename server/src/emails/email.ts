/**
 * A block of a mail, as plain text: its content is never rendered as markup or a link. `facts` are
 * rows of label and value. `quote` is text of a tenant, set off from ours. `link` is the only link,
 * to an address below the portal's own: a button, or text where it is quiet.
 */
export type Block =
  | { kind: 'paragraph'; text: string }
  | { kind: 'heading'; text: string }
  | { kind: 'code'; text: string }
  | { kind: 'quote'; text: string }
  | { kind: 'facts'; facts: [label: string, value: string][] }
  | { kind: 'link'; label: string; url: string; isQuiet?: true };

/** A mail before rendering. */
export type Email = { subject: string; blocks: Block[] };

/** The sender in the header and footer of a mail: the operator's name and the portal's address. */
export type Brand = { name: string; url: string };
