import { fastify } from 'fastify';
import { describe, expect, test } from 'vitest';
import { requireAccess } from './access.ts';

const answer = () => ({});

describe('an app', () => {
  // asvs 6.3.4, 8.2.1
  test('does not start with a route that has no access rule, wherever it is registered', async () => {
    const app = fastify();
    requireAccess(app);
    expect(() => app.get('/', answer)).toThrow('the route / has no access rule');
    expect(() => app.get('/tenants', answer)).toThrow('the route /tenants has no access rule');
    await app.register(
      (api, _options, done) => {
        expect(() => api.get('/dev/tenants', answer)).toThrow(
          'the route /api/dev/tenants has no access rule',
        );
        expect(() => api.post('/dev/mailbox/clear', answer)).toThrow('has no access rule');
        done();
      },
      { prefix: '/api' },
    );
    await app.close();
  });

  test('starts with a declared rule and with public routes', async () => {
    const app = fastify();
    requireAccess(app);
    app.get('/tenants', { config: { access: 'tenant' } }, answer);
    app.get('/healthz', answer);
    await app.ready();
    expect((await app.inject('/tenants')).statusCode).toBe(200);
    await app.close();
  });
});
