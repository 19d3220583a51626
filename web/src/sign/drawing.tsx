import { DRAWING, type Strokes } from '@gatehouse/contract/signing';
import { t } from '@gatehouse/language/t';
import { type PointerEvent, useId, useState } from 'react';
import { Button } from '#ui/button.tsx';
import { FieldError } from '#ui/field.tsx';

const BOX = `0 0 ${DRAWING.width} ${DRAWING.height}`;

type FieldProps = {
  strokes: Strokes;
  error: string | undefined;
  onChange: (strokes: Strokes) => void;
};

/** A box to draw in, by finger, pen or mouse; who cannot signs by the typed name. */
export function DrawingField({ strokes, error, onChange }: FieldProps) {
  const id = useId();
  // The line that is being drawn.
  const [line, setLine] = useState<number[] | null>(null);
  function at(event: PointerEvent<SVGSVGElement>): number[] {
    const box = event.currentTarget.getBoundingClientRect();
    const along = (from: number, size: number, most: number) =>
      Math.min(most, Math.max(0, Math.round((from / size) * most)));
    return [
      along(event.clientX - box.left, box.width, DRAWING.width),
      along(event.clientY - box.top, box.height, DRAWING.height),
    ];
  }
  return (
    <div>
      <svg
        viewBox={BOX}
        role="img"
        aria-label={t('Box to draw your signature in')}
        aria-describedby={error ? `${id}-error` : undefined}
        className="w-full rounded-control border border-control bg-raised text-text"
        ref={holdPage}
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId);
          setLine(at(event));
        }}
        onPointerMove={(event) => line && setLine([...line, ...at(event)])}
        onPointerUp={() => {
          if (line) onChange([...strokes, line]);
          setLine(null);
        }}
        onPointerCancel={() => setLine(null)}
      >
        <Lines strokes={line === null ? strokes : [...strokes, line]} />
      </svg>
      <FieldError id={id} error={error} />
      <Button variant="quiet" onClick={() => onChange([])}>
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
  return (
    <svg
      viewBox={BOX}
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
