import { formatDate } from '@gatehouse/contract/dates';
import {
  requestStatuses,
  requestTitles,
  type RequestStatus,
} from '@gatehouse/contract/tracked-requests';
import { useEffect, useRef, useState } from 'react';
import { type RecordRequest, useListRequestsOfRecordsQuery } from '#api/requests.ts';
import { Button } from '#ui/button.tsx';
import { Card } from '#ui/card.tsx';
import { Chip, type ChipTone } from '#ui/chip.tsx';
import { EmptyState } from '#ui/empty-state.tsx';
import { Loadable } from '#ui/loadable.tsx';

type Props = {
  tenantIds: string[];
  /** What a record is called; undefined where there is one record alone. */
  nameOf: (tenantId: string) => string | undefined;
};

/**
 * What the tenant records asked of the facility, newest first, with its replies. Always asked
 * afresh: staff may have answered since.
 */
export function RequestsCard({ tenantIds, nameOf }: Props) {
  const load = useListRequestsOfRecordsQuery(tenantIds, { refetchOnMountOrArgChange: true });
  return (
    <Card title="Requests" description="What you asked the facility, and its replies.">
      <Loadable load={load} failure="Your requests could not be loaded." skeleton="h-24 w-full">
        {(requests) => <Requests requests={requests} nameOf={nameOf} />}
      </Loadable>
    </Card>
  );
}

/** These are the ones still open; the rest is behind a button. */
const SHOWN_FIRST = 5;

type ListProps = Pick<Props, 'nameOf'> & { requests: RecordRequest[] };

function Requests({ requests, nameOf }: ListProps) {
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

type RequestProps = { request: RecordRequest; recordName: string | undefined };

function Request({ request, recordName }: RequestProps) {
  const { reference, kind, unitName, askedOn, asked, status, replies } = request;
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
      {replies.map(({ repliedOn, text }, index) => (
        <div key={index} className="mt-3 border-l-2 border-brand pl-4">
          <p className="text-15 text-muted tabular-nums">The facility, {formatDate(repliedOn)}</p>
          <p className="whitespace-pre-wrap wrap-anywhere">{text}</p>
        </div>
      ))}
    </li>
  );
}
