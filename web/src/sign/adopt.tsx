import { initialsOf, strokes as strokesShape, type Strokes } from '@gatehouse/contract/signing';
import { t } from '@gatehouse/language/t';
import { type SyntheticEvent, useState } from 'react';
import { ChoiceField } from '#ui/choice-field.tsx';
import { Dialog } from '#ui/dialog.tsx';
import { TextField } from '#ui/field.tsx';
import { DialogForm } from '#ui/form-dialog.tsx';
import { DrawingField } from './drawing.tsx';
import type { Signature } from './use-signing.ts';

type Props = {
  name: string;
  /** Initials are the first letters of the name: they are not drawn. */
  isInitials: boolean;
  onAdopt: (signature: Signature) => void;
  onClose: () => void;
};

/** Asks how to sign, at the first place that is signed: the name typed, or drawn as well. */
export function Adopt({ name: given, isInitials, onAdopt, onClose }: Props) {
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
    <Dialog title={isInitials ? t('Your initials') : t('Your signature')} onClose={onClose}>
      <DialogForm
        submitLabel={isInitials ? t('Initial here') : t('Sign here')}
        isBusy={false}
        error={null}
        onSubmit={submit}
        onClose={onClose}
      >
        <TextField
          label={t('Your name')}
          hint={
            isInitials
              ? t('Your initials: {initials}', { initials: initialsOf(name.trim()) })
              : undefined
          }
          autoComplete="name"
          maxLength={100}
          value={name}
          error={isTried ? nameError : undefined}
          onChange={({ currentTarget }) => setName(currentTarget.value)}
        />
        {!isInitials && (
          <ChoiceField
            legend={t('How do you want to sign?')}
            name="way"
            value={way}
            options={[
              { value: 'typed', label: t('My typed name') },
              { value: 'drawn', label: t('Draw it') },
            ]}
            onChange={({ currentTarget }) => setWay(currentTarget.value)}
          />
        )}
        {way === 'drawn' && (
          <DrawingField
            strokes={drawing}
            error={isTried ? drawingError : undefined}
            onChange={setDrawing}
          />
        )}
      </DialogForm>
    </Dialog>
  );
}
