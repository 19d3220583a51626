import { endpoints } from '@gatehouse/contract/endpoints';
import { officeEndpoints } from '@gatehouse/contract/office/office-endpoints';
import { expect, test } from 'vitest';

import { faultsOf } from './judge.ts';
import { planRequest, type Operation } from './requests.ts';
import { readAnswer } from './wire.ts';

const asked = { isWhole: true, isHead: false };
const answer = (status: number, body: string, ms = 3) => ({
  status,
  contentType: 'application/json',
  body,
  ms,
});
const says = (message: string) => answer(422, JSON.stringify({ message }));

test('each fault of an answer is found, and a good one has none', () => {
  expect(faultsOf(answer(200, '[]'), asked)).toEqual([]);
  expect(faultsOf(says('Amount must be above $0.00.'), asked)).toEqual([]);
  expect(faultsOf(says('$250.00 is owed on A101.'), asked)).toEqual([]);
  expect(faultsOf(answer(404, ''), { isWhole: true, isHead: true })).toEqual([]);
  expect(faultsOf(answer(0, ''), { isWhole: false, isHead: false })).toEqual([]);
  expect(faultsOf(answer(0, ''), asked)).toEqual(['unanswered']);
  expect(faultsOf(answer(200, '[]', 5001), asked)).toEqual(['slow']);
  expect(faultsOf(answer(500, '{"message":"Something went wrong."}'), asked)).toEqual(['5xx']);
  expect(faultsOf({ ...says('A page.'), contentType: 'text/html' }, asked)).toEqual([
    'no sentence',
  ]);
  for (const message of [
    'lower case.',
    'No stop',
    '',
    'x'.repeat(201),
    `${'X'.repeat(200)}.`,
    'Two\nlines.',
  ])
    expect(faultsOf(says(message), asked), message).toEqual(['no sentence']);
  expect(faultsOf(answer(422, '{"message":"A sentence.","stack":"x"}'), asked)).toEqual([
    'no sentence',
  ]);
  expect(faultsOf(answer(400, '{"message":"At\n    at run (app.ts:3:1)"}'), asked)).toEqual([
    'no sentence',
    'stack',
  ]);
});

test('an answer is read whole, by its length or in chunks, behind a 100', () => {
  const read = (text: string) => readAnswer(Buffer.from(text));
  expect(read('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}x')).toMatchObject({
    status: 200,
    body: '{}',
  });
  const chunked =
    'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n2\r\n{"\r\n3\r\na":\r\n0\r\n\r\n';
  expect(read(`HTTP/1.1 100 Continue\r\n\r\n${chunked}`)).toMatchObject({
    status: 200,
    body: '{"a":',
  });
  expect(read('HTTP/1.1 200').status).toBe(0);
});

test('a request can be made of every call of the contract in every way, twice the same', () => {
  const operations: Operation[] = [
    ...Object.values<Operation>(endpoints),
    ...Object.values<Operation>(officeEndpoints),
  ];
  const names =
    'corp locationCode tenantId tenantIds ledgerId ledgerIds unitId imageId receiptNumber number token ' +
    'facilityId templateId changeId noteId requestId passkeyId sessionId staffId year paperKind';
  const known = {
    ...Object.fromEntries(
      names.split(' ').map((name) => [name, '7d1f0a86-3c55-4e0a-8f5c-6a2b9e7d4c31']),
    ),
    proofKey: `${'A'.repeat(87)}=`,
  };
  const kinds = new Set<string>();
  for (let index = 0; index < 4000; index += 1) {
    const { name, bytes } = planRequest(1, index, operations, known);
    kinds.add(name.replace(/^\d+ /, ''));
    expect(bytes.equals(planRequest(1, index, operations, known).bytes)).toBe(true);
  }
  expect(kinds.size).toBeGreaterThan(operations.length * 5);
  expect(planRequest(2, 0, operations, known).bytes).not.toEqual(
    planRequest(1, 0, operations, known).bytes,
  );
});
