import { useState } from 'react';

/**
 * Lights up what is around it, which is `relative isolate`, each time the value is another than at
 * first: it was just saved. Undefined while it is unknown.
 */
export function Lit({ value }: { value: string | number | undefined }) {
  const [first, setFirst] = useState(value);
  if (first === undefined && value !== undefined) setFirst(value);
  if (first === undefined || value === undefined || value === first) return null;
  return <span key={value} data-lit aria-hidden="true" className="lit" />;
}
