import type { ReactNode } from 'react';
import { Horizon } from './horizon.tsx';

/** In place of what there is none of: the drawing, one sentence, and what may be done about it. */
export function EmptyState({ children, action }: { children: ReactNode; action?: ReactNode }) {
  return (
    <div className="flex flex-col items-center gap-4 py-4 text-center">
      <Horizon />
      <p>{children}</p>
      {action}
    </div>
  );
}
