import { calendarDateIn, formatDate, formatTimeIn } from '@gatehouse/contract/dates';
import { initialsOf, type DocumentBlock, type Strokes } from '@gatehouse/contract/signing';
import type { DocumentEventKind } from '#db/tables/rentals.ts';
import type { Block, Paper } from './paper.ts';

/** A document that all have signed, with its trail; instants are ISO text. */
export type SignedDocument = {
  issuer: string;
  documentId: string;
  documentName: string;
  facilityName: string;
  unitName: string;
  timeZone: string;
  /** Of a text; empty of a PDF, which is printed by itself. */
  blocks: DocumentBlock[];
  /** The SHA-256 of the document as it was read, in hexadecimal. */
  hash: string;
  signers: {
    name: string;
    email: string;
    signedName: string;
    signedAt: string;
    strokes: Strokes | null;
  }[];
  events: {
    at: string;
    kind: DocumentEventKind;
    who: string;
    via: 'link' | 'portal' | null;
    ip: string | null;
    device: string | null;
  }[];
  at: Date;
};

/** The document, signed at its places, and a last page of who signed it, when and from where. */
export function signedDocumentPaper(signed: SignedDocument): Paper {
  const { issuer, documentName, at, blocks } = signed;
  return {
    issuer,
    title: documentName,
    at,
    blocks:
      blocks.length === 0
        ? trail(signed)
        : [...blocks.map((block) => printed(block, signed)), { kind: 'page' }, ...trail(signed)],
  };
}

function printed(block: DocumentBlock, signed: SignedDocument): Block {
  return block.kind === 'place' ? { kind: 'mark', ...signatureAt(block, signed) } : block;
}

/** What its signer has put at a place. */
export function signatureAt(
  { mark, signer }: { mark: 'signature' | 'initials'; signer: number },
  { signers, timeZone }: Pick<SignedDocument, 'signers' | 'timeZone'>,
): { text: string; strokes: Strokes | null; caption: string } {
  const { signedName, signedAt, strokes } = signers[signer - 1]!;
  const isDrawn = mark === 'signature' && strokes !== null;
  return {
    text: mark === 'signature' ? signedName : initialsOf(signedName),
    strokes: isDrawn ? strokes : null,
    caption: `${signedName}, ${when(signedAt, timeZone)}`,
  };
}

const happened: Record<DocumentEventKind, string> = {
  made: 'Made by',
  mailed: 'Link mailed to',
  resent: 'Sent again by',
  consented: 'Agreed to sign electronically:',
  signed: 'Signed by',
  declined: 'Declined by',
  completed: 'Signed by all; kept by',
  voided: 'Withdrawn by',
};

/** In English, as the office is: it is the operator's record. */
function trail({
  documentId,
  documentName,
  unitName,
  facilityName,
  ...signed
}: SignedDocument): Block[] {
  return [
    { kind: 'heading', text: 'Record of signatures' },
    {
      kind: 'facts',
      facts: [
        ['Document', documentName],
        ['Unit', `${unitName}, ${facilityName}`],
        ['Number', documentId],
        [signed.blocks.length === 0 ? 'SHA-256 of the PDF' : 'SHA-256 of the text', signed.hash],
        ...signed.signers.map(({ name, email, signedName }): [string, string] => [
          'Signer',
          `${name}, ${email}; signed as ${signedName}`,
        ]),
      ],
    },
    {
      kind: 'facts',
      facts: signed.events.map(({ at, kind, who, via, ip, device }): [string, string] => [
        when(at, signed.timeZone),
        [
          `${happened[kind]} ${who}`,
          via && (via === 'link' ? 'by the link in the mail' : 'signed in to the portal'),
          ip && `from ${ip}`,
          device,
        ]
          .filter(Boolean)
          .join(', '),
      ]),
    },
    {
      kind: 'paragraph',
      text: `Times are those of ${signed.timeZone}. Each signer agreed to sign electronically before reading the document (15 U.S.C. 7001).`,
    },
  ];
}

function when(at: string, timeZone: string): string {
  const instant = new Date(at);
  return `${formatDate(calendarDateIn(timeZone, instant))} ${formatTimeIn(timeZone, instant)}`;
}
