import { DRAWING, type Strokes } from '@gatehouse/contract/signing';
import { t } from '@gatehouse/language/t';
import { type PointerEvent, useId } from 'react';
import { Button } from '#ui/button.tsx';
import { FieldError, Hint } from '#ui/field.tsx';

const BOX = `0 0 ${DRAWING.width} ${DRAWING.height}`;

type FieldProps = {
  strokes: Strokes;
  error: string | undefined;
  /** Of the newest strokes: several points may come before they are drawn. */
  onChange: (change: (strokes: Strokes) => Strokes) => void;
};

/** A box to draw in by finger, pen or mouse; the typed name is the way without them. */
export function DrawingField({ strokes, error, onChange }: FieldProps) {
  const id = useId();
  function at(event: PointerEvent<SVGSVGElement>): number[] {
    const box = event.currentTarget.getBoundingClientRect();
    const scale = Math.max(box.width / DRAWING.width, box.height / DRAWING.height);
    const along = (from: number, most: number) =>
      Math.min(most, Math.max(0, Math.round(from / scale)));
    return [
      along(event.clientX - box.left, DRAWING.width),
      along(event.clientY - box.top, DRAWING.height),
    ];
  }
  return (
    <div>
      <Hint id={id} hint={t('With your finger, a pen or the mouse.')} />
      <div className="mt-1.5 overflow-hidden rounded-control border border-control">
        <svg
          viewBox={BOX}
          role="img"
          aria-label={t('Box to draw your signature in')}
          aria-describedby={`${id}-hint${error ? ` ${id}-error` : ''}`}
          // The left of the box where it has no room: no thumb draws in less height.
          preserveAspectRatio="xMinYMin slice"
          height={160}
          className="block w-full text-brand"
          ref={holdPage}
          onPointerDown={(event) => {
            if (!event.isPrimary) return;
            event.currentTarget.setPointerCapture(event.pointerId);
            const point = at(event);
            // A line of one point is drawn nowhere, one back to it is a dot.
            onChange((lines) => [...lines, [...point, ...point]]);
          }}
          onPointerMove={(event) => {
            if (!event.currentTarget.hasPointerCapture(event.pointerId)) return;
            const point = at(event);
            onChange((lines) => lines.with(-1, [...lines.at(-1)!, ...point]));
          }}
        >
          <path d="M0 125H600" className="stroke-line" strokeWidth={2} />
          <Lines strokes={strokes} />
        </svg>
      </div>
      <FieldError id={id} error={error} />
      <Button variant="quiet" className="-mx-3" onClick={() => onChange(() => [])}>
        {t('Clear the drawing')}
      </Button>
    </div>
  );
}

/** Else the page would scroll under the finger. */
function holdPage(svg: SVGSVGElement | null): void {
  svg?.style.setProperty('touch-action', 'none');
}

/** A drawn signature; `label` says whose. */
export function Drawn({
  strokes,
  label,
  className,
}: {
  strokes: Strokes;
  label: string;
  className: string;
}) {
  // From where it begins, as a typed name does.
  const left = Math.min(...strokes.flatMap((line) => line.filter((_, index) => index % 2 === 0)));
  return (
    <svg
      viewBox={`${left - 3} 0 ${DRAWING.width - left} ${DRAWING.height}`}
      role="img"
      aria-label={label}
      preserveAspectRatio="xMinYMid meet"
      className={className}
    >
      <Lines strokes={strokes} />
    </svg>
  );
}

function Lines({ strokes }: { strokes: Strokes }) {
  return strokes.map((line, index) => (
    <polyline
      key={index}
      points={line.join(' ')}
      fill="none"
      stroke="currentColor"
      strokeWidth={5}
      strokeLinecap="round"
      strokeLinejoin="round"
    />
  ));
}
