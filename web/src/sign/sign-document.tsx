import {
  initialsOf,
  placesOf,
  type DocumentBlock,
  type SigningView,
} from '@gatehouse/contract/signing';
import { t } from '@gatehouse/language/t';
import { Fragment, useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { Failure } from '#ui/alert.tsx';
import { Button } from '#ui/button.tsx';
import { Adopt } from './adopt.tsx';
import { Drawn } from './drawing.tsx';
import { ReadPdf } from './read-pdf.tsx';
import type { Signature } from './use-signing.ts';

type Props = {
  token: string;
  view: SigningView;
  isBusy: boolean;
  error: string | null;
  /** Hides the bar that signs, next to the form that does not. */
  isDeclining: boolean;
  onSign: (signature: Signature & { places: number[] }) => void;
};

/** The document; each place of the signer is signed by a press of its own, in turn. */
export function SignDocument({ token, view, isBusy, error, isDeclining, onSign }: Props) {
  const places = placesOf(view.blocks, view.signer);
  const [signature, setSignature] = useState<Signature | null>(null);
  const [signed, setSigned] = useState<number[]>([]);
  // The place that asks for the signature.
  const [asking, setAsking] = useState<number | null>(null);
  const next = places.find((place) => !signed.includes(place));
  const end = useRef<HTMLDivElement>(null);

  const isInitials = (place: number) => isInitialsAt(view.blocks[place]!);

  /** Initials ask for a name only; how to sign is asked for at the first signature. */
  function press(place: number): void {
    const isKnown =
      signature !== null && (isInitials(place) || signed.some((one) => !isInitials(one)));
    if (isKnown) apply(place);
    else setAsking(place);
  }
  function apply(place: number): void {
    flushSync(() => {
      setAsking(null);
      setSigned((before) => [...before, place]);
    });
    goTo(places.find((one) => one !== place && !signed.includes(one)));
  }
  function goTo(place: number | undefined): void {
    const target = place === undefined ? end.current : document.getElementById(idOf(place));
    target?.scrollIntoView({ block: 'center' });
    target?.querySelector('button')?.focus({ preventScroll: true });
  }
  useEffect(() => document.getElementById('document')?.focus(), []);
  return (
    <>
      <section
        id="document"
        tabIndex={-1}
        aria-label={view.documentName}
        className="flex flex-col gap-4 rounded-control border border-line p-4 outline-none sm:p-6"
      >
        {view.pdf !== null && <ReadPdf token={token} pdf={view.pdf} />}
        {view.blocks.map((block, index) =>
          block.kind === 'place' ? (
            <Place
              key={index}
              id={idOf(index)}
              block={block}
              view={view}
              signature={signed.includes(index) ? signature : null}
              onPress={() => press(index)}
              onChange={() => {
                setSigned((before) => before.filter((one) => one !== index));
                setAsking(index);
              }}
            />
          ) : (
            <Text key={index} block={block} />
          ),
        )}
      </section>
      {asking !== null && (
        <Adopt
          name={signature?.name ?? view.signerName}
          isInitials={isInitials(asking)}
          onClose={() => setAsking(null)}
          onAdopt={(adopted) => {
            // Initials are not drawn: a signature that is stays.
            const drawing = isInitials(asking) ? (signature?.drawing ?? null) : adopted.drawing;
            setSignature({ name: adopted.name, drawing });
            apply(asking);
          }}
        />
      )}
      {error !== null && !isDeclining && (
        <Failure isBusy={isBusy} focus>
          {error}
        </Failure>
      )}
      <div
        ref={end}
        hidden={isDeclining}
        className="sticky bottom-0 -mx-4 flex flex-col gap-3 border-t border-line bg-raised px-4 py-3 sm:-mx-6 sm:flex-row sm:items-center justify-between sm:px-6"
      >
        <p role="status" className="text-15">
          {t('{done} of {all} places signed', { done: signed.length, all: places.length })}
        </p>
        {next === undefined ? (
          <Button
            busy={isBusy}
            onClick={() => signature && onSign({ ...signature, places: signed.toSorted(byNumber) })}
          >
            {t('Sign the document')}
          </Button>
        ) : (
          <Button onClick={() => goTo(next)}>
            {isInitials(next) ? t('Next: initials') : t('Next: signature')}
          </Button>
        )}
      </div>
    </>
  );
}

const isInitialsAt = (block: DocumentBlock) => block.kind === 'place' && block.mark === 'initials';
const idOf = (place: number) => `place-${place}`;
const byNumber = (a: number, b: number) => a - b;

/** In the language in which the operator wrote it, like other papers. */
function Text({ block }: { block: Exclude<DocumentBlock, { kind: 'place' }> }) {
  return block.kind === 'heading' ? (
    <h2 lang="en" className="text-17 font-semibold wrap-anywhere">
      {block.text}
    </h2>
  ) : (
    <p lang="en" className="wrap-anywhere">
      {block.text.split('\n').map((line, index) => (
        <Fragment key={index}>
          {index > 0 && <br />}
          <span>{line}</span>
        </Fragment>
      ))}
    </p>
  );
}

type PlaceProps = {
  id: string;
  block: Extract<DocumentBlock, { kind: 'place' }>;
  view: SigningView;
  signature: Signature | null;
  onPress: () => void;
  onChange: () => void;
};

function Place({ id, block, view, signature, onPress, onChange }: PlaceProps) {
  const isOwn = block.signer === view.signer;
  const name = isOwn ? view.signerName : (view.otherName ?? '');
  const isInitials = isInitialsAt(block);
  return (
    <div id={id} className="flex flex-col gap-2">
      {signature !== null ? (
        <div className="flex items-end justify-between gap-2">
          <Mark signature={signature} isInitials={isInitials} />
          <Button variant="quiet" onClick={onChange}>
            <span>{t('Change')}</span>
            <span className="sr-only"> {isInitials ? t('the initials') : t('the signature')}</span>
          </Button>
        </div>
      ) : isOwn ? (
        <Button variant="secondary" onClick={onPress} className="self-start">
          {isInitials ? t('Initial here') : t('Sign here')}
        </Button>
      ) : (
        <span className="block h-10" />
      )}
      <span className="border-t border-control pt-2 text-15 text-muted">
        {labelOf(block, name)}
      </span>
    </div>
  );
}

function labelOf({ mark, page }: PlaceProps['block'], name: string): string {
  if (mark === 'initials')
    return page === undefined
      ? t('Initials of {name}', { name })
      : t('Initials of {name}, page {page}', { name, page });
  return page === undefined
    ? t('Signature of {name}', { name })
    : t('Signature of {name}, page {page}', { name, page });
}

function Mark({ signature, isInitials }: { signature: Signature; isInitials: boolean }) {
  if (signature.drawing !== null && !isInitials)
    return <Drawn strokes={signature.drawing} label={signature.name} className="h-16 text-brand" />;
  return (
    <span className="text-24 text-brand">
      {isInitials ? initialsOf(signature.name) : signature.name}
    </span>
  );
}
