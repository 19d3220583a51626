import { subjects } from '@gatehouse/contract/endpoint';
import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import type { FastifyInstance } from 'fastify';
import { jsonSchemaTransform } from 'fastify-type-provider-zod';
import { VERSION } from '#config/version.ts';

/** The only inline style of Swagger's script. */
const SWAGGER_STYLE = 'sha256-RL3ie0nH+Lzz2YNqQN83mnU0J1ot4QL7b99vMdIX99w=';

/**
 * The policy of the API's page: its own files and calls. Swagger's files get the same, which allows
 * nothing more.
 */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  `style-src 'self' '${SWAGGER_STYLE}'`,
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const mark =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#174a7c"/><path d="M7 25V13l9-6 9 6v12M7 18h18M12 18v7m8-7v7" fill="none" stroke="#fff" stroke-width="2.5"/></svg>';

/** What makes Swagger's page ours, and readable on a phone. */
const theme = {
  title: 'Gatehouse API',
  favicon: [
    { filename: 'mark.svg', rel: 'icon', type: 'image/svg+xml', sizes: 'any', content: mark },
  ],
  // Its page has no viewport, and the plugin no place for one.
  js: [
    {
      filename: 'viewport.js',
      content: `document.head.append(Object.assign(document.createElement('meta'),
        { name: 'viewport', content: 'width=device-width, initial-scale=1' }));`,
    },
  ],
  css: [
    {
      filename: 'ours.css',
      content: `
.swagger-ui, .swagger-ui .info .title, .swagger-ui .opblock-tag { font-family: system-ui, sans-serif; }
.swagger-ui .info { margin: 24px 0; }
.swagger-ui .opblock .opblock-summary-path { max-width: none; word-break: break-word; }
@media (max-width: 640px) {
  .swagger-ui .wrapper { padding: 0 12px; }
  .swagger-ui .scheme-container { padding: 12px 0; }
  .swagger-ui .opblock .opblock-summary { flex-wrap: wrap; }
  .swagger-ui .opblock .opblock-summary-path-description-wrapper { flex-basis: 60%; flex-wrap: wrap; }
  .swagger-ui .opblock-body, .swagger-ui .opblock-section, .swagger-ui .responses-inner { overflow-x: auto; }
}
`,
    },
  ],
};

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
  await app.register(swaggerUi, {
    routePrefix: '/docs',
    staticCSP: POLICY,
    theme,
    // Without Swagger's own bar, and without the shapes once more below the calls.
    uiConfig: { layout: 'BaseLayout', defaultModelsExpandDepth: -1 },
  });
  app.get('/openapi.json', { schema: { hide: true } }, () => app.swagger());
}
