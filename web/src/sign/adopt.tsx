import { strokes as strokesShape, type Strokes } from '@gatehouse/contract/signing';
import { t } from '@gatehouse/language/t';
import { type SyntheticEvent, useState } from 'react';
import { Button } from '#ui/button.tsx';
import { ChoiceField } from '#ui/choice-field.tsx';
import { TextField } from '#ui/field.tsx';
import { DrawingField } from './drawing.tsx';
import { focusFirst } from './focus-first.ts';
import type { Signature } from './use-signing.ts';

type Props = { name: string; onAdopt: (signature: Signature) => void; onCancel: () => void };

/** Asks how to sign, at the first place that is signed: the name typed, or drawn as well. */
export function Adopt({ name: given, onAdopt, onCancel }: Props) {
  const [name, setName] = useState(given);
  const [way, setWay] = useState('typed');
  const [drawing, setDrawing] = useState<Strokes>([]);
  const [isTried, setTried] = useState(false);
  const drawn = way === 'drawn' ? strokesShape.safeParse(drawing) : null;
  const nameError = name.trim() === '' ? t('Please type your name.') : undefined;
  const drawingError =
    drawn === null || drawn.success
      ? undefined
      : drawing.length === 0
        ? t('Please draw your signature.')
        : t('The drawing is too long. Please clear it and draw a shorter one.');
  function submit(event: SyntheticEvent): void {
    event.preventDefault();
    setTried(true);
    if (nameError === undefined && drawingError === undefined)
      onAdopt({ name: name.trim(), drawing: way === 'drawn' ? drawing : null });
  }
  return (
    <form
      ref={focusFirst}
      noValidate
      onSubmit={submit}
      aria-label={t('Your signature')}
      className="flex flex-col gap-4 rounded-control border border-brand p-4"
    >
      <TextField
        label={t('Your name')}
        autoComplete="name"
        maxLength={100}
        value={name}
        error={isTried ? nameError : undefined}
        onChange={({ currentTarget }) => setName(currentTarget.value)}
      />
      <ChoiceField
        legend={t('Your signature')}
        name="way"
        value={way}
        options={[
          { value: 'typed', label: t('My typed name') },
          { value: 'drawn', label: t('Draw it') },
        ]}
        onChange={({ currentTarget }) => setWay(currentTarget.value)}
      />
      {way === 'drawn' && (
        <DrawingField
          strokes={drawing}
          error={isTried ? drawingError : undefined}
          onChange={setDrawing}
        />
      )}
      <div className="flex flex-col gap-3 sm:flex-row sm:justify-end">
        <Button variant="secondary" onClick={onCancel}>
          {t('Cancel')}
        </Button>
        <Button type="submit">{t('Sign here')}</Button>
      </div>
    </form>
  );
}
