import { rich } from '@gatehouse/language/rich';

/**
 * The reference of a request as a success names it, with the way to where it is followed; it never
 * breaks across lines.
 */
export function Reference({ number }: { number: string }) {
  return (
    <a href="/account#requests" className="link">
      {rich('Reference {number}', { number: <span className="whitespace-nowrap">{number}</span> })}
    </a>
  );
}

type OpenRequestProps = {
  what: string;
  /** The day, as it shows. */
  askedOn: string;
  reference: string;
};

/** What was asked of the facility and is not done, with the way to where it is followed. */
export function OpenRequest({ what, askedOn, reference }: OpenRequestProps) {
  return (
    <a href="/account#requests" className="link">
      {rich('{what} was asked for on {day}, Reference {number}', {
        what: <span>{what}</span>,
        day: <span>{askedOn}</span>,
        number: <span className="whitespace-nowrap">{reference}</span>,
      })}
    </a>
  );
}
