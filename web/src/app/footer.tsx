import { useSyncExternalStore } from 'react';
import { brand } from '#brand/brand.ts';

export function Footer() {
  // The prerendered page has no year: it may be served for longer than one. Its place is kept.
  const year = useSyncExternalStore(never, thisYear, () => '');
  return (
    <footer className="mt-12 px-4 py-6 text-center text-13 text-muted">
      © <span className="inline-block min-w-[4ch] tabular-nums">{year}</span> {brand.name}
    </footer>
  );
}

const never = () => () => {};
const thisYear = () => String(new Date().getFullYear());
