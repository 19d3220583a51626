import { calendarDateIn, formatDate, formatTimeIn } from '@gatehouse/contract/dates';
import {
  type RequestEventKind,
  type RequestStatus,
  type TrackedKind,
  type TrackedRequest,
} from '@gatehouse/contract/tracked-requests';
import { t } from '@gatehouse/language/t';
import { useEffect, useRef, useState } from 'react';
import { type RecordRequest, useListRequestsOfRecordsQuery } from '#api/requests.ts';
import { Button } from '#ui/button.tsx';
import { Chip, type ChipTone } from '#ui/chip.tsx';
import { EmptyState } from '#ui/empty-state.tsx';
import { FormDialogButton } from '#ui/lazy-dialog.tsx';
import { lazyPart } from '#ui/lazy-part.tsx';
import { Loadable } from '#ui/loadable.tsx';
import { OpenCard } from '#ui/open-card.tsx';

const answerForm = lazyPart(() => import('./answer-form.tsx'));

type Props = {
  tenantIds: string[];
  /** What a record is called; undefined where there is one record only. */
  nameOf: (tenantId: string) => string | undefined;
};

/**
 * What the tenant records asked of the facility, newest first, with each step. Always asked
 * afresh: staff may have answered since.
 */
export function RequestsCard({ tenantIds, nameOf }: Props) {
  const load = useListRequestsOfRecordsQuery(tenantIds, { isAskedAfresh: true });
  const open = load.data?.filter(({ status }) => status !== 'done').length;
  return (
    <OpenCard
      id="requests"
      isWanting={load.error !== undefined}
      summary={
        open !== undefined &&
        (open === 0 ? t('None open') : t('{n, plural, one {# open} other {# open}}', { n: open }))
      }
      title={t('Requests')}
      description={t('What you asked the facility, and what happened to it.')}
    >
      <Loadable
        load={load}
        failure={t('Your requests could not be loaded.')}
        skeleton="h-24 w-full"
      >
        {(requests) => (
          <Requests requests={requests} nameOf={nameOf} onAnswered={() => void load.refetch()} />
        )}
      </Loadable>
    </OpenCard>
  );
}

/** These are the ones still open; the rest is behind a button. */
const SHOWN_FIRST = 5;

type ListProps = Pick<Props, 'nameOf'> & { requests: RecordRequest[]; onAnswered: () => void };

function Requests({ requests, nameOf, onAnswered }: ListProps) {
  const [isWhole, showWhole] = useState(false);
  const list = useRef<HTMLUListElement>(null);
  // The button that was pressed is gone: what it showed continues where it was.
  useEffect(() => {
    if (isWhole) list.current?.children.item(SHOWN_FIRST)?.querySelector('h3')?.focus();
  }, [isWhole]);
  if (requests.length === 0)
    return (
      <EmptyState>
        {t('You have not asked the facility for anything yet. What you ask is listed here.')}
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
            <span>{t('Show {n} earlier', { n: requests.length - shown.length })}</span>
            <span className="sr-only"> {t('requests')}</span>
          </span>
        </Button>
      )}
    </>
  );
}

const titles: Record<TrackedKind, string> = {
  maintenance_request_form: t('Maintenance request'),
  insurance_request: t('Protection plan change'),
  request_gate_access_form: t('24-hour access request'),
  resend_esign_documents_form: t('E-sign documents'),
  request_tenant_update: t('Contact information update'),
  move_out: t('Move-out'),
};

const statuses: Record<RequestStatus, string> = {
  new: t('Waiting'),
  in_progress: t('In progress'),
  done: t('Done'),
};

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
      <h3 tabIndex={-1} className="font-medium wrap-anywhere">
        {unitName === null
          ? titles[kind]
          : t('{request}, unit {unit}', { request: titles[kind], unit: unitName })}
      </h3>
      <div className="flex items-start justify-between gap-x-4">
        <p className="text-15 text-muted tabular-nums">
          <span className="whitespace-nowrap">{reference}</span>
          <span>{`\u00a0·\u00a0${formatDate(askedOn)}`}</span>
          {/* A record is called by its units: of one unit the title says which. */}
          {unitName === null && recordName !== undefined && (
            <span className="block">{t('For {name}', { name: recordName })}</span>
          )}
        </p>
        <Chip tone={tones[status]}>{statuses[status]}</Chip>
      </div>
      {asked !== null && <p className="mt-2 whitespace-pre-wrap wrap-anywhere">{asked}</p>}
      {steps.length > 0 && <Steps request={request} />}
      {isReplied && (
        <FormDialogButton
          label={t('Answer')}
          about={t('the reply to {reference}', { reference })}
          className="-ml-3"
          title={t('Answer')}
          description={
            status === 'done'
              ? t('To the facility’s reply to {reference}. It opens the request again.', {
                  reference,
                })
              : t('To the facility’s reply to {reference}.', { reference })
          }
          form={answerForm}
          formProps={{ request, onAnswered }}
        />
      )}
    </li>
  );
}

const eventNames: Record<Exclude<RequestEventKind, 'status_changed'>, string> = {
  created: t('Sent'),
  replied: t('The facility replied'),
  answered: t('You answered'),
  objected: t('You objected'),
};

/** What happened to a request, oldest first, by the facility's clock. */
function Steps({ request: { reference, steps, timeZone } }: { request: TrackedRequest }) {
  return (
    <ol aria-label={t('Steps of {reference}', { reference })} className="mt-3 flex flex-col gap-2">
      {steps.map(({ kind, status, at, text }, index) => {
        const instant = new Date(at);
        const day = formatDate(calendarDateIn(timeZone, instant));
        return (
          <li
            key={index}
            className={`border-l-2 pl-4 ${text === null ? 'border-line' : 'border-brand'}`}
          >
            <p className="text-15 text-muted tabular-nums">
              <span>
                {`${kind === 'status_changed' ? statuses[status] : eventNames[kind]}, ${day}, `}
              </span>
              <span className="whitespace-nowrap">{formatTimeIn(timeZone, instant)}</span>
            </p>
            {text !== null && <p className="whitespace-pre-wrap wrap-anywhere">{text}</p>}
          </li>
        );
      })}
    </ol>
  );
}
