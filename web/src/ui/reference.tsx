/** The reference of a request as a success names it; it never breaks across lines. */
export function Reference({ number }: { number: string }) {
  return (
    <>
      Reference <span className="whitespace-nowrap">{number}</span>
    </>
  );
}
