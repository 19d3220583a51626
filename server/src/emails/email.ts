import { formatMoney, toDollars } from '@gatehouse/contract/money';
import { t } from '@gatehouse/language/t';

/**
 * A block of a mail, as plain text: its content is never rendered as markup or a link. `facts` are
 * rows of label and value. `notice` is what must not be missed. `quote` is text of a tenant, set
 * off from ours. `isGreeting`: of a tenant, by name. `link` is the only link: a button, of which a
 * mail has one, or text where it is quiet. Its `url` is a path of the portal, or of the office
 * below `/office/`; an address below the portal's own; or a phone number to call.
 */
export type Block =
  | { kind: 'paragraph'; text: string; isGreeting?: true }
  | { kind: 'heading'; text: string }
  | { kind: 'notice'; text: string }
  | { kind: 'code'; text: string }
  | { kind: 'quote'; text: string }
  | { kind: 'facts'; facts: Fact[] }
  | { kind: 'link'; label: string; url: string; isQuiet?: true };

export type Fact = [label: string, value: string];

/** A mail before rendering. */
export type Email = { subject: string; blocks: Block[] };

/**
 * The sender in the header and footer of a mail: the operator's name and the portal's address; the
 * office's, null where none is served.
 */
export type Brand = { name: string; url: string; officeUrl: string | null };

export function paragraph(text: string): Block {
  return { kind: 'paragraph', text };
}

export function heading(text: string): Block {
  return { kind: 'heading', text };
}

export function facts(rows: Fact[]): Block {
  return { kind: 'facts', facts: rows };
}

/** The one thing that a mail is there for: a button. */
export function action(label: string, url: string): Block {
  return { kind: 'link', label, url };
}

/** A mail with its button at the end. */
export function withAction(email: Email, button: Block): Email {
  return { ...email, blocks: [...email.blocks, button] };
}

/** The pages that show one tenant record; an address about a rental chooses its own. */
const RECORD_PAGE =
  /^\/(?:account|profile|billing-info|payment-history|maintenance-request|schedule-move-out)?(?=#|$)/;

/** A mail whose button puts a tenant record in view, for a person who has several. */
export function withRecord(email: Email, tenantId: string): Email {
  const blocks = email.blocks.map((block) =>
    block.kind === 'link'
      ? { ...block, url: block.url.replace(RECORD_PAGE, `$&?record=${tenantId}`) }
      : block,
  );
  return { ...email, blocks };
}

/** The greeting of a mail to a tenant. */
export function hello(firstName: string): Block {
  return { kind: 'paragraph', text: t('Hello {firstName},', { firstName }), isGreeting: true };
}

/** A mail to a tenant who died, for the executor: greets them, and says whom it is for. */
export function forExecutor(email: Email, executor: string, tenantName: string): Email {
  const greeting = [
    hello(executor),
    paragraph(t('You get this mail for {tenantName}.', { tenantName })),
  ];
  const isGreeted = email.blocks.some((block) => 'isGreeting' in block);
  const blocks = email.blocks.flatMap((block) => ('isGreeting' in block ? greeting : [block]));
  return { ...email, blocks: isGreeted ? blocks : [greeting[1]!, ...blocks] };
}

/** A sum of integer cents, as it is read. */
export function money(cents: number): string {
  return formatMoney(toDollars(cents));
}
