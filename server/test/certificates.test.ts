import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer, type Server } from 'node:tls';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createS3Files } from '#adapters/files/s3.ts';
import { createSmtpTransport } from '#adapters/mail/smtp.ts';
import { openStripe } from '#adapters/payments/stripe-client.ts';
import { testClock } from '#test/test-day.ts';
import { unsignedCertificate } from './unsigned-certificate.ts';

/** An impostor in place of a service, with a self-signed certificate. */
let stranger: Server;
let port: number;
let heard = '';
let visits = 0;
beforeAll(async () => {
  stranger = createServer(unsignedCertificate, (socket) => {
    socket.on('data', (part) => (heard += part.toString()));
    socket.on('error', () => {});
    socket.write('220 mail ready\r\n');
  });
  stranger.on('connection', () => (visits += 1));
  await once(stranger.listen(0, '127.0.0.1'), 'listening');
  ({ port } = stranger.address() as AddressInfo);
});
beforeEach(() => {
  heard = '';
  visits = 0;
});
afterAll(() => stranger.close());

describe('nothing is sent to a server with a self-signed certificate', () => {
  // asvs 12.3.2
  test.each([
    [
      'a mail server',
      async () => {
        const from = { name: 'Anchor', address: 'no-reply@example.com' };
        const mail = {
          id: randomUUID(),
          to: 'dana@example.com',
          subject: 'x',
          text: 'x',
          html: 'x',
          at: testClock.now(),
        };
        await createSmtpTransport(`smtps://user:secret@127.0.0.1:${port}`, from).send({
          ...mail,
          attachments: [],
        });
      },
    ],
    [
      'the storage of photos',
      async () => {
        const files = await createS3Files({
          bucket: 'photos',
          prefix: '',
          region: 'us-east-1',
          endpoint: `https://127.0.0.1:${port}`,
          accessKeyId: 'id',
          secretAccessKey: 'secret',
        });
        await files.put(randomUUID(), Buffer.from('x'), 'image/jpeg');
      },
    ],
    [
      'Stripe',
      async () => {
        const { stripe } = await openStripe({
          secretKey: 'sk_test_secret',
          apiUrl: `https://127.0.0.1:${port}`,
        });
        await stripe.balance.retrieve();
      },
    ],
  ])('%s', async (_, say) => {
    await expect(say()).rejects.toThrow();
    expect(visits).toBeGreaterThan(0);
    expect(heard).toBe('');
  });
});
