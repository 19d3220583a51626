/**
 * The operator's mark: an anchor whose ring is a wheel. Drawn in the variables of brand.css only,
 * because the build makes the page's icon of the same drawing (vite-brand.ts).
 */
export function BrandMark({ className = 'size-9' }: { className?: string }) {
  return (
    <svg
      xmlns="http://www.w3.org/2000/svg"
      viewBox="0 0 32 32"
      className={`shrink-0 ${className}`}
      fill="none"
      aria-hidden="true"
    >
      <rect width="32" height="32" rx="8" fill="var(--brand)" />
      <g stroke="var(--brand-ink)" strokeWidth="2.25" strokeLinecap="round" strokeLinejoin="round">
        <circle cx="16" cy="8.5" r="3.25" />
        <path d="M16 11.75V26M11.5 15.5h9M6.5 18.5C7 22.8 11.2 26 16 26s9-3.2 9.5-7.5M5.5 21.5l1-3 2.7 1.7M26.5 21.5l-1-3-2.7 1.7" />
      </g>
      <circle cx="16" cy="8.5" r="1.25" fill="var(--accent)" />
    </svg>
  );
}
