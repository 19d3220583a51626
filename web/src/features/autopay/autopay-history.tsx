import type { AutopayAttempt } from '@gatehouse/contract/autopay';
import { formatDate } from '@gatehouse/contract/dates';
import { formatMoney } from '@gatehouse/contract/money';
import { t } from '@gatehouse/language/t';
import { Chip } from '#ui/chip.tsx';
import { Disclosure } from '#ui/disclosure.tsx';
import { attemptSentence, outcomes } from './attempts.ts';

type Props = { attempts: AutopayAttempt[]; unitName: string };

/** What autopay did on a rental lately, newest first. */
export function AutopayHistory({ attempts, unitName }: Props) {
  return (
    <Disclosure
      summary={
        <span>
          {t('Autopay history')}
          <span className="sr-only"> {t('of {unit}', { unit: unitName })}</span>
        </span>
      }
    >
      {attempts.length === 0 ? (
        <p className="text-muted">{t('Autopay has not charged this unit yet')}</p>
      ) : (
        <ol className="divide-y divide-line border-t border-line">
          {attempts.map((attempt, index) => (
            <Attempt key={`${attempt.date} ${index}`} attempt={attempt} isNewest={index === 0} />
          ))}
        </ol>
      )}
    </Disclosure>
  );
}

function Attempt({ attempt, isNewest }: { attempt: AutopayAttempt; isNewest: boolean }) {
  const { words, tone } = outcomes[attempt.outcome];
  const sentence = attemptSentence(attempt, isNewest);
  return (
    <li className="py-2.5 last:pb-0">
      <p className="flex flex-wrap items-baseline gap-x-4 gap-y-1">
        <span className="min-w-21 tabular-nums">{formatDate(attempt.date)}</span>
        <span className="max-sm:order-1 max-sm:basis-full">
          <Chip tone={tone}>{words}</Chip>
        </span>
        <span className="ml-auto font-medium tabular-nums">{formatMoney(attempt.amount)}</span>
      </p>
      {sentence !== null && <p className="mt-1 text-15 text-muted">{sentence}</p>}
    </li>
  );
}
