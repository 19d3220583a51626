import type { ReactNode } from 'react';

type Props = { title: string; children: ReactNode; isHidden?: boolean };

/** One step of the flow under its heading, which takes the focus when the step is reached. */
export function StepCard({ title, children, isHidden = false }: Props) {
  return (
    <section hidden={isHidden} className="rounded-card border border-line bg-raised p-4 sm:p-6">
      <h1 tabIndex={-1} className="text-24 font-semibold">
        {title}
      </h1>
      {children}
    </section>
  );
}
