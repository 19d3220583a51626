import type { PaymentPreview } from '@gatehouse/contract/payment-preview';
import { Icon } from '#ui/icons.tsx';
import { gateWords } from './preview-words.ts';

/** Whether a payment opens the gate of its unit; nothing where that is open. */
export function GateAnswer({ preview }: { preview: PaymentPreview | undefined }) {
  const words = preview && gateWords(preview);
  if (!preview?.gate || !words) return null;
  const { isOpened } = preview.gate;
  return (
    <span
      className={`flex basis-full items-start gap-2 font-medium ${isOpened ? 'text-good' : 'text-warn'}`}
    >
      <Icon name={isOpened ? 'check-circle' : 'lock'} className="mt-0.5 size-5" />
      <span className="min-w-0">{words}</span>
    </span>
  );
}
