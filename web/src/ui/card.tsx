import { type ReactNode, useId } from 'react';

type CardProps = {
  title: ReactNode;
  description?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
  className?: string;
  id?: string;
  /** Below another heading of the screen, 3. */
  level?: 2 | 3;
};

/** The frame of a card. */
export const cardClass = 'rounded-card border border-line bg-raised p-4 sm:p-6';

/** A titled part of a screen; its actions are at the bottom right, full width on phones. */
export function Card({
  title,
  description,
  actions,
  children,
  className = '',
  id,
  level = 2,
}: CardProps) {
  const heading = useId();
  const Heading = level === 2 ? 'h2' : 'h3';
  return (
    <section id={id} aria-labelledby={heading} className={`${cardClass} ${className}`}>
      <Heading id={heading} className="text-17 font-semibold wrap-anywhere">
        {title}
      </Heading>
      {description !== undefined && <p className="mt-1 text-muted">{description}</p>}
      <div className="mt-4">{children}</div>
      {actions !== undefined && (
        <div className="mt-auto flex flex-col gap-3 pt-6 sm:flex-row sm:justify-end">{actions}</div>
      )}
    </section>
  );
}
