import type { Autopay } from '@gatehouse/contract/autopay';
import { entryName } from '@gatehouse/contract/entry-names';
import { formatMoney, sumDollars } from '@gatehouse/contract/money';
import { t } from '@gatehouse/language/t';
import { Disclosure } from '#ui/disclosure.tsx';
import { chargeLines } from './charge-lines.ts';

/** The next charge line by line, on demand. */
export function WhyThisAmount({ record }: { record: Autopay }) {
  const lines = chargeLines(record);
  if (lines.length === 0) return null;
  return (
    <Disclosure summary={<span>{t('Why this amount')}</span>}>
      <dl className="flex flex-col gap-2 leading-tight tabular-nums">
        {lines.map(({ description, amount }) => (
          <div key={description} className="flex justify-between gap-x-3 text-left">
            <dt className="min-w-0 wrap-anywhere text-muted">
              <Description text={entryName(description)} />
            </dt>
            <dd>{formatMoney(amount)}</dd>
          </div>
        ))}
        {lines.length > 1 && (
          <div className="flex justify-between gap-x-3 border-t border-line pt-2 font-semibold">
            <dt>{t('Total')}</dt>
            <dd>{formatMoney(sumDollars(lines.map(({ amount }) => amount)))}</dd>
          </div>
        )}
      </dl>
    </Disclosure>
  );
}

/** The period of a bill, if it ends with one, has a line of its own. */
function Description({ text }: { text: string }) {
  const at = text.search(/\d[^-]* - .*\d$/);
  if (at < 0) return <span>{text}</span>;
  return (
    <>
      <span>{text.slice(0, at)}</span>
      <span className="block">{text.slice(at)}</span>
    </>
  );
}
