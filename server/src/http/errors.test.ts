import { fastify } from 'fastify';
import { expect, test } from 'vitest';
import { Refusal } from '#errors/refusal.ts';
import { answerError } from './errors.ts';

async function answerOf(error: Error) {
  const app = fastify();
  app.setErrorHandler(answerError);
  app.get('/', () => {
    throw error;
  });
  const { statusCode, headers, body } = await app.inject('/');
  return {
    statusCode,
    retryAfter: headers['retry-after'],
    body: JSON.parse(body) as { message: string },
  };
}

const withCode = (code: string) => Object.assign(new Error('secret detail'), { code });

test.each([
  withCode('57P01'),
  withCode('57P03'),
  withCode('25006'),
  withCode('55P03'),
  withCode('08006'),
  withCode('ECONNREFUSED'),
  withCode('EPIPE'),
  new Error('timeout exceeded when trying to connect'),
  new Error('Query read timeout'),
  new Error('Connection terminated unexpectedly'),
  new Error('Client has encountered a connection error and is not queryable'),
])('an unreachable database: 503 with a retry-after', async (error) => {
  const { statusCode, retryAfter, body } = await answerOf(error);
  expect([statusCode, retryAfter]).toEqual([503, '5']);
  expect(body).toEqual({ message: 'The service is busy for a moment. Please try again.' });
});

test('too many calls: 429 with a retry-after', async () => {
  const { statusCode, retryAfter } = await answerOf(
    new Refusal(429, 'Please try again tomorrow.', 3600),
  );
  expect([statusCode, retryAfter]).toEqual([429, '3600']);
});

// asvs 16.5.1, 16.5.4
test('an unexpected error: 500, and nothing of it in the answer', async () => {
  const { statusCode, body } = await answerOf(withCode('23505'));
  expect([statusCode, body]).toEqual([
    500,
    { message: 'Something went wrong on our side. Please try again.' },
  ]);
});

test('a refusal: its status and sentence, cut at 200 characters', async () => {
  const { statusCode, body } = await answerOf(new Refusal(422, 'x'.repeat(300)));
  expect([statusCode, body.message.length]).toEqual([422, 200]);
});

test('a client that disconnects within its body is not a failure of the database', async () => {
  const { statusCode } = await answerOf(Object.assign(withCode('ECONNRESET'), { statusCode: 400 }));
  expect(statusCode).toBe(422);
});
