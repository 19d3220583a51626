import { t } from '@gatehouse/language/t';
import { type ReactNode, useId } from 'react';

type Props = { step: 1 | 2 | 3 | 4; title: string; children: ReactNode; isHidden?: boolean };

/** One step of the flow under its heading, which takes the focus when the step is reached. */
export function StepCard({ step, title, children, isHidden = false }: Props) {
  const id = useId();
  return (
    <section hidden={isHidden} className="rounded-card border border-line bg-raised p-4 sm:p-6">
      <p id={id} className="text-15 text-muted">
        {t('Step {step} of 4', { step })}
      </p>
      <h1 tabIndex={-1} aria-describedby={id} className="text-24 font-semibold">
        {title}
      </h1>
      {children}
    </section>
  );
}
