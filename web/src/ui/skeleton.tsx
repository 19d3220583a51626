/**
 * Holds the place of what loads; the caller gives it the final height. Unseen for the first 200 ms.
 */
export function Skeleton({ className = '' }: { className?: string }) {
  return (
    <div aria-hidden="true" className={`appear-late ${className}`}>
      <div className="size-full rounded-control bg-line" />
    </div>
  );
}
