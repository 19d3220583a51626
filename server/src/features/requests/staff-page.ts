import { isTimeZone } from '@gatehouse/contract/dates';
import { REPLY_MAX } from '@gatehouse/contract/answer-fields';
import { requestStatuses } from '@gatehouse/contract/tracked-requests';
import { createElement as h, type ReactElement } from 'react';
import type { RequestStatus } from '#db/tables.ts';
import type { Block } from '#emails/email.ts';
import { staffEmailOf } from '#emails/staff/templates.ts';
import { card, document } from '#features/links/link-page.ts';
import { aboutOf, unitNameOf, type RequestEvent, type StaffRequest } from './tracked.ts';

/** The result of a submitted form: `isGood` where it succeeded. */
type Said = { isGood: boolean; text: string };

/**
 * The data of the staff page of a request. `photo` is the URL of its photo, relative to the page;
 * `formId` is new with every page and accepted once; `draft` is the text of a form that was
 * refused.
 */
export type StaffPage = {
  request: StaffRequest;
  photo: string | null;
  events: RequestEvent[];
  formId: string;
  draft: string;
  said: Said | null;
};

/**
 * The page of a request, without scripts and with one style, which its policy allows by its hash.
 * All input is rendered as text.
 */
export function renderStaffPage({
  request,
  photo,
  events,
  formId,
  draft,
  said,
}: StaffPage): string {
  const { reference, kind, status, createdAt, facilityName, timeZone } = request;
  const timeOf = timesIn(timeZone);
  const acts = events.filter((event) => event.kind !== 'created');
  return document(
    `${reference} · ${facilityName}`,
    h('p', { className: 'muted' }, facilityName),
    h('h1', null, aboutOf(kind, unitNameOf(request))),
    h(
      'p',
      { className: 'line' },
      h('span', { className: `chip ${status}` }, requestStatuses[status]),
      h('span', { className: 'muted' }, `${reference} · `, timeOf(createdAt)),
    ),
    said === null
      ? null
      : h('p', { className: said.isGood ? 'said good' : 'said bad', role: 'status' }, said.text),
    card(
      'What is asked',
      ...questionOf(request).map(elementOf),
      photo === null ? null : photoOf(photo),
    ),
    acts.length === 0 ? null : card('What was done', h('ol', null, acts.map(eventWith(timeOf)))),
    card('Your reply', formOf(request, formId, draft)),
  );
}

/** The blocks of the mail, without the title and the facts that are in the page's header. */
function questionOf({ kind, reference, details }: StaffRequest): Block[] {
  const [, ...blocks] = staffEmailOf(kind, reference, details).blocks;
  return blocks.map((block) => {
    if (block.kind !== 'facts') return block;
    return {
      ...block,
      facts: block.facts.filter(([label]) => label !== 'Reference' && label !== 'Facility'),
    };
  });
}

/** Scaled to the page; the link opens the full size. */
function photoOf(address: string): ReactElement {
  return h(
    'a',
    { href: address, className: 'photo' },
    h('img', { src: address, alt: 'The photo that came with the request. Opens in full size.' }),
  );
}

function formOf({ status, version }: StaffRequest, formId: string, draft: string): ReactElement {
  return h(
    'form',
    { method: 'post' },
    h('input', { type: 'hidden', name: 'form', value: formId }),
    h('input', { type: 'hidden', name: 'version', value: version }),
    h('label', { htmlFor: 'reply' }, 'Reply to the tenant'),
    h(
      'p',
      { id: 'hint', className: 'muted' },
      'It goes to the tenant by email and into the portal, as plain text.',
    ),
    h('textarea', {
      ...{ id: 'reply', name: 'reply', rows: 6, maxLength: REPLY_MAX, defaultValue: draft },
      'aria-describedby': 'hint',
    }),
    h(
      'fieldset',
      null,
      h('legend', null, 'Status'),
      (['in_progress', 'done'] as const).map((choice) => choiceOf(choice, status)),
    ),
    h('button', null, 'Send'),
  );
}

/** A reply starts work on a new request. */
function choiceOf(choice: 'in_progress' | 'done', status: RequestStatus): ReactElement {
  const defaultChecked = choice === (status === 'new' ? 'in_progress' : status);
  return h(
    'label',
    { key: choice, className: 'choice' },
    h('input', { type: 'radio', name: 'status', value: choice, defaultChecked }),
    requestStatuses[choice],
  );
}

function eventWith(timeOf: (at: Date) => ReactElement) {
  return ({ id, kind, status, text, author, at }: RequestEvent): ReactElement =>
    h(
      'li',
      { key: id },
      h(
        'p',
        { className: 'muted' },
        labelOf(kind, status),
        ' · ',
        author ?? 'Tenant',
        ' · ',
        timeOf(at),
      ),
      text === null ? null : h('p', { className: 'text' }, text),
    );
}

function labelOf(kind: RequestEvent['kind'], status: RequestStatus): string {
  if (kind === 'replied') return 'Reply';
  if (kind === 'answered') return 'Answer';
  return kind === 'objected' ? 'The tenant objected' : `Status: ${requestStatuses[status]}`;
}

function elementOf(block: Block, index: number): ReactElement {
  switch (block.kind) {
    case 'facts':
      return h(
        'dl',
        { key: index },
        block.facts.map(([label, value], place) =>
          h('div', { key: place }, h('dt', null, label), h('dd', null, value)),
        ),
      );
    case 'link':
      return h('p', { key: index }, block.label);
    case 'quote':
      return h('blockquote', { key: index, className: 'text' }, block.text);
    case 'code':
    case 'heading':
    case 'paragraph':
      return h('p', { key: index, className: 'text' }, block.text);
  }
}

/** In the facility's time zone, or in UTC where it is invalid. */
function timesIn(zone: string): (at: Date) => ReactElement {
  const timeZone = isTimeZone(zone) ? zone : 'UTC';
  const format = new Intl.DateTimeFormat('en-US', {
    day: 'numeric',
    month: 'numeric',
    year: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    timeZone,
  });
  return (at) => h('time', { dateTime: at.toISOString() }, format.format(at));
}

/** The browser shows a photo in its own page, which has inline styles. */
export const PHOTO_POLICY =
  "default-src 'none'; img-src 'self'; style-src 'unsafe-inline'; frame-ancestors 'none'";
