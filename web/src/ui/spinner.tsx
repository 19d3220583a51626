/** A turning ring; for a button or next to words that say what is waited for. */
export function SpinnerRing({ className = 'size-5' }: { className?: string }) {
  return (
    <svg
      viewBox="0 0 24 24"
      className={`shrink-0 animate-spin ${className}`}
      fill="none"
      aria-hidden="true"
    >
      <circle cx="12" cy="12" r="9" stroke="currentColor" strokeWidth="3" opacity="0.25" />
      <path d="M21 12a9 9 0 0 0-9-9" stroke="currentColor" strokeWidth="3" strokeLinecap="round" />
    </svg>
  );
}

/** Says that something loads, to the eye and to screen readers. */
export function Spinner({ label }: { label: string }) {
  return (
    <p role="status" className="flex items-center gap-2 text-15 text-muted">
      <SpinnerRing />
      <span>{label}</span>
    </p>
  );
}
