import type { PaymentPreview } from '@gatehouse/contract/payment-preview';
import { Icon } from '#ui/icons.tsx';
import { gateWords } from './preview-words.ts';

type Props = {
  /** What the payment does. */
  preview: PaymentPreview | undefined;
  /** In a row of its unit, which has no room for a panel. */
  isPlain?: boolean;
};

/** Whether a payment opens the gate of its unit; nothing where that is open. */
export function GateAnswer({ preview, isPlain = false }: Props) {
  const words = preview && gateWords(preview);
  if (!preview?.gate || !words) return null;
  const { isOpened } = preview.gate;
  const panel = `rounded-control px-3 py-2 ${isOpened ? 'bg-good-soft' : 'bg-warn-soft'}`;
  return (
    <span
      className={`flex items-start gap-2 font-medium ${isOpened ? 'text-good' : 'text-warn'} ${isPlain ? 'basis-full' : panel}`}
    >
      <Icon name={isOpened ? 'check-circle' : 'lock'} className="mt-0.5 size-5" />
      <span className="min-w-0">{words}</span>
    </span>
  );
}
