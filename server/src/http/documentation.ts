import { subjects } from '@gatehouse/contract/endpoint';
import swagger from '@fastify/swagger';
import type { FastifyInstance } from 'fastify';
import { jsonSchemaTransform } from 'fastify-type-provider-zod';
import { VERSION } from '#config/version.ts';
import { API_PAGE_POLICY, renderApiPage, type ApiDocument } from './api-page.ts';

/**
 * OpenAPI from the contract's endpoints: a page at /docs, the document at /openapi.json. Register
 * before the routes.
 */
export async function registerDocumentation(app: FastifyInstance): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Gatehouse',
        version: VERSION,
        description: 'The API behind the tenant portal.',
      },
      tags: subjects.map((name) => ({ name })),
      components: { securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } } },
    },
    transform: jsonSchemaTransform,
  });
  const hidden = { schema: { hide: true } };
  app.get('/openapi.json', hidden, () => app.swagger());
  let page: string | undefined;
  app.get('/docs', hidden, (_request, reply) => {
    // No route is added once the app serves.
    page ??= renderApiPage(app.swagger() as ApiDocument);
    return reply
      .header('content-security-policy', API_PAGE_POLICY)
      .type('text/html; charset=utf-8')
      .send(page);
  });
}
