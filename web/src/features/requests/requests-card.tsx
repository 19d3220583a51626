import { calendarDateIn, formatDate, formatTimeIn } from '@gatehouse/contract/dates';
import {
  requestStatuses,
  requestTitles,
  type RequestEventKind,
  type RequestStatus,
  type TrackedRequest,
} from '@gatehouse/contract/tracked-requests';
import { useEffect, useRef, useState } from 'react';
import { type RecordRequest, useListRequestsOfRecordsQuery } from '#api/requests.ts';
import { Button } from '#ui/button.tsx';
import { Card } from '#ui/card.tsx';
import { Chip, type ChipTone } from '#ui/chip.tsx';
import { EmptyState } from '#ui/empty-state.tsx';
import { FormDialogButton } from '#ui/lazy-dialog.tsx';
import { lazyPart } from '#ui/lazy-part.tsx';
import { Loadable } from '#ui/loadable.tsx';

const answerForm = lazyPart(() => import('./answer-form.tsx'));

type Props = {
  tenantIds: string[];
  /** What a record is called; undefined where there is one record alone. */
  nameOf: (tenantId: string) => string | undefined;
};

/**
 * What the tenant records asked of the facility, newest first, with each step. Always asked
 * afresh: staff may have answered since.
 */
export function RequestsCard({ tenantIds, nameOf }: Props) {
  const load = useListRequestsOfRecordsQuery(tenantIds, { refetchOnMountOrArgChange: true });
  return (
    <Card title="Requests" description="What you asked the facility, and what happened to it.">
      <Loadable load={load} failure="Your requests could not be loaded." skeleton="h-24 w-full">
        {(requests) => (
          <Requests requests={requests} nameOf={nameOf} onAnswered={() => void load.refetch()} />
        )}
      </Loadable>
    </Card>
  );
}

/** These are the ones still open; the rest is behind a button. */
const SHOWN_FIRST = 5;

type ListProps = Pick<Props, 'nameOf'> & { requests: RecordRequest[]; onAnswered: () => void };

function Requests({ requests, nameOf, onAnswered }: ListProps) {
  const [isWhole, showWhole] = useState(false);
  const list = useRef<HTMLUListElement>(null);
  // The button that was pressed is gone: what it showed continues where it stood.
  useEffect(() => {
    if (isWhole) list.current?.children.item(SHOWN_FIRST)?.querySelector('h3')?.focus();
  }, [isWhole]);
  if (requests.length === 0)
    return (
      <EmptyState>
        You have not asked the facility for anything yet. What you ask is listed here.
      </EmptyState>
    );
  const shown = isWhole ? requests : requests.slice(0, SHOWN_FIRST);
  return (
    <>
      <ul ref={list} className="-my-4 divide-y divide-line">
        {shown.map((request) => (
          <Request
            key={request.reference}
            request={request}
            recordName={nameOf(request.tenantId)}
            onAnswered={onAnswered}
          />
        ))}
      </ul>
      {shown.length < requests.length && (
        <Button variant="quiet" className="mt-6 -ml-3" onClick={() => showWhole(true)}>
          <span>
            Show {requests.length - shown.length} earlier<span className="sr-only"> requests</span>
          </span>
        </Button>
      )}
    </>
  );
}

const tones: Record<RequestStatus, ChipTone> = {
  new: 'neutral',
  in_progress: 'brand',
  done: 'good',
};

type RequestProps = {
  request: RecordRequest;
  recordName: string | undefined;
  onAnswered: () => void;
};

function Request({ request, recordName, onAnswered }: RequestProps) {
  const { reference, kind, unitName, askedOn, asked, status, steps } = request;
  const isReplied = steps.some((step) => step.kind === 'replied');
  return (
    <li className="py-4">
      <div className="flex items-start justify-between gap-x-4">
        <h3 tabIndex={-1} className="min-w-0 font-medium wrap-anywhere">
          {requestTitles[kind]}
          {unitName !== null && `, unit ${unitName}`}
        </h3>
        <Chip tone={tones[status]}>{requestStatuses[status]}</Chip>
      </div>
      <p className="text-15 text-muted tabular-nums">
        <span className="whitespace-nowrap">{reference}</span> · {formatDate(askedOn)}
        {recordName !== undefined && ` · For ${recordName}`}
      </p>
      {asked !== null && <p className="mt-2 whitespace-pre-wrap wrap-anywhere">{asked}</p>}
      {steps.length > 0 && <Steps request={request} />}
      {isReplied && (
        <FormDialogButton
          label="Answer"
          about={`the reply to ${reference}`}
          className="-ml-3"
          title="Answer"
          description={`To the facility’s reply to ${reference}.${status === 'done' ? ' It opens the request again.' : ''}`}
          form={answerForm}
          formProps={{ request, onAnswered }}
        />
      )}
    </li>
  );
}

const eventNames: Record<Exclude<RequestEventKind, 'status_changed'>, string> = {
  created: 'Sent',
  replied: 'The facility replied',
  answered: 'You answered',
  objected: 'You objected',
};

/** What happened to a request, oldest first, by the facility's clock. */
function Steps({ request: { reference, steps, timeZone } }: { request: TrackedRequest }) {
  return (
    <ol aria-label={`Steps of ${reference}`} className="mt-3 flex flex-col gap-2">
      {steps.map(({ kind, status, at, text }, index) => {
        const instant = new Date(at);
        const day = formatDate(calendarDateIn(timeZone, instant));
        return (
          <li
            key={index}
            className={`border-l-2 pl-4 ${text === null ? 'border-line' : 'border-brand'}`}
          >
            <p className="text-15 text-muted tabular-nums">
              {kind === 'status_changed' ? requestStatuses[status] : eventNames[kind]}, {day},{' '}
              <span className="whitespace-nowrap">{formatTimeIn(timeZone, instant)}</span>
            </p>
            {text !== null && <p className="whitespace-pre-wrap wrap-anywhere">{text}</p>}
          </li>
        );
      })}
    </ol>
  );
}
