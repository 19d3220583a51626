/** A gate on the horizon: of sign-in, of what is empty, and of what went wrong. */
export function Horizon({ className = '' }: { className?: string }) {
  return (
    <svg
      viewBox="0 0 200 44"
      className={`h-14 max-w-full text-brand ${className}`}
      fill="none"
      stroke="currentColor"
      strokeWidth="1.75"
      strokeLinecap="round"
      aria-hidden="true"
    >
      <path d="M2 43h196M70 43V13M130 43V13M66 13h8M126 13h8M70 20h60M70 32h60M80 43V20M90 43V20M100 43V20M110 43V20M120 43V20M146 43a16 16 0 0 1 32 0M162 20v-6M179 28l4-4M145 28l-4-4M6 43q14-16 28-8 16 9 30 8" />
    </svg>
  );
}
