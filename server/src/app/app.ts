import { randomUUID } from 'node:crypto';
import { createServer, type RequestListener, type Server } from 'node:http';
import { fastify, LogController, type FastifyInstance } from 'fastify';
import { createSerializerCompiler } from 'fastify-type-provider-zod';
import type { Context } from '#context/context.ts';
import { autopayRoutes } from '#features/money/autopay/routes.ts';
import { calendarFeedRoutes, registerCalendars } from '#features/rentals/calendar-feed/routes.ts';
import { esignRoutes } from '#features/service/esign/routes.ts';
import { facilityRoutes } from '#features/base/facilities/routes.ts';
import { gateAccessRoutes } from '#features/service/gate-access/routes.ts';
import { registerStripeWebhook } from '#features/money/gateway-events/webhook.ts';
import { imageRoutes } from '#features/base/images/routes.ts';
import { insuranceRoutes } from '#features/service/insurance/routes.ts';
import { ledgerRoutes } from '#features/base/ledgers/routes.ts';
import { maintenanceRoutes } from '#features/service/maintenance/routes.ts';
import { moveOutRoutes } from '#features/service/move-out/routes.ts';
import { registerMailboxApi, registerMailboxPage } from '#features/desk/mailbox/mailbox.ts';
import { overviewRoutes } from '#features/desk/overview/routes.ts';
import { paperRoutes } from '#features/base/papers/routes.ts';
import { guardHostedFields } from '#features/money/payment-methods/hosted-fields.ts';
import { payLinkRoutes } from '#features/money/pay-links/routes.ts';
import { passkeyRoutes } from '#features/people/passkeys/routes.ts';
import { paymentRoutes } from '#features/money/payments/routes.ts';
import { reminderRoutes } from '#features/rentals/reminders/routes.ts';
import { registerStopPages } from '#features/rentals/reminders/stop-page.ts';
import { registrationRoutes } from '#features/people/registration/routes.ts';
import { requestRoutes } from '#features/service/requests/routes.ts';
import { registerObjectionPages } from '#features/service/requests/objection-routes.ts';
import { sessionRoutes } from '#features/people/session/routes.ts';
import { goingLiveRoutes } from '#features/desk/going-live/routes.ts';
import { officeRoutes } from '#features/desk/office/routes.ts';
import { officeTenantRoutes } from '#features/desk/office/tenant-routes.ts';
import { verbRoutes } from '#features/desk/office/verbs.ts';
import { staffRoutes } from '#features/people/staff/routes.ts';
import { tenantRoutes } from '#features/rentals/tenants/routes.ts';
import { registerTwilioWebhook } from '#features/desk/text-sending/webhook.ts';
import { textRoutes } from '#features/service/texts/routes.ts';
import { unitContentsRoutes } from '#features/rentals/unit-contents/routes.ts';
import { vehiclePaperRoutes } from '#features/rentals/vehicle-papers/routes.ts';
import { vehicleRoutes } from '#features/rentals/vehicles/routes.ts';
import { markOffice, requireAccess } from '#http/access.ts';
import { registerDocumentation } from '#http/documentation.ts';
import { allowAnswerTime, limitBodyTime, REQUEST_TIMEOUT_MS } from '#http/body-time.ts';
import { answerClientError, refuseUnfit } from '#http/client-errors.ts';
import { compressReads } from '#http/compression.ts';
import { answerError } from '#http/errors.ts';
import { type Beyond, registerHeaders, sealApi } from '#http/headers.ts';
import { registerHealth } from '#http/health.ts';
import { CHANGE_PASSWORD, refuseOtherHosts, separateOffice } from '#http/hosts.ts';
import { measureRequests } from '#http/metrics.ts';
import { answerInLanguage, inLanguageOf } from '#http/language.ts';
import { registerLanguageLinks } from '#http/language-links.ts';
import { refuseOtherMethods, refusePageMethods, refuseUnrouted } from '#http/methods.ts';
import { allowOrigins, keepToHttps, refuseUnencrypted } from '#http/origins.ts';
import { registerOffice } from '#http/office-files.ts';
import { officeRoutesOf } from '#http/office-routes.ts';
import { portalFolder } from '#http/pages.ts';
import { requireAddress } from '#http/network.ts';
import { registerPolicyReports } from '#http/policy-reports.ts';
import { watchForTokens } from '#http/refusals.ts';
import { registerPortal } from '#http/portal.ts';
import { demandShapes, refusals, routesOf } from '#http/routes.ts';
import { shedLoad, type Shedding } from '#http/shedding.ts';
import { boundUnreadAnswers } from '#http/unread-answers.ts';
import { BODY_BYTES, bodyTooLarge, isMoreThanPhoto } from '#http/uploads.ts';
import { compileValidator, mayBeEmpty } from '#http/validation.ts';
import { notFound, Refusal } from '#errors/refusal.ts';

/** The base of every call of the contract. */
export const API_BASE = '/api';

/** Request line and headers together. */
const MOST_HEAD_BYTES = 16 * 1024;

const features = [
  autopayRoutes,
  calendarFeedRoutes,
  reminderRoutes,
  esignRoutes,
  facilityRoutes,
  gateAccessRoutes,
  imageRoutes,
  insuranceRoutes,
  ledgerRoutes,
  maintenanceRoutes,
  moveOutRoutes,
  overviewRoutes,
  paperRoutes,
  payLinkRoutes,
  paymentRoutes,
  registrationRoutes,
  requestRoutes,
  sessionRoutes,
  passkeyRoutes,
  tenantRoutes,
  textRoutes,
  unitContentsRoutes,
  vehiclePaperRoutes,
  vehicleRoutes,
];

const officeFeatures = [staffRoutes, officeTenantRoutes, officeRoutes, goingLiveRoutes, verbRoutes];

/** Builds the app without listening: the API, its page, health and the portal. */
export async function buildApp(ctx: Context): Promise<FastifyInstance> {
  const shedding = shedLoad(ctx, { base: API_BASE, origins: ctx.config.corsOrigins });
  const app = createApp(ctx, shedding);
  const { sentryDsn, payments, publicUrl } = ctx.config;
  const hostedFields = payments.kind === 'stripe' ? 'stripe' : null;
  const beyond = { sentryDsn, hostedFields, isHttps: publicUrl.startsWith('https://') } as const;
  takeBodies(app);
  answerInTime(app, ctx);
  boundUnreadAnswers(app, ctx.config);
  logRequests(app);
  refuseUnsuited(app, ctx, beyond);
  const observe = measureRequests(app, ctx.metrics.registry);
  await registerDocumentation(app);
  const isOverHttps = beyond.isHttps && ctx.config.trustedHops > 0;
  await app.register(
    (api, _options, done) => {
      if (isOverHttps) refuseUnencrypted(api);
      allowOrigins(api, ctx.config.corsOrigins);
      shedding.admitCalls(api, observe);
      registerApi(api, ctx);
      done();
    },
    { prefix: API_BASE },
  );
  await app.register(
    (office, _options, done) => {
      markOffice(office);
      if (isOverHttps) refuseUnencrypted(office);
      shedding.admitPages(office);
      registerOfficeApi(office, ctx);
      done();
    },
    { prefix: API_BASE },
  );
  refusePageMethods(app);
  registerHealth(app, ctx);
  registerMailboxPage(app, ctx);
  registerObjectionPages(app, ctx, (pages) => shedding.admitPages(pages));
  registerStopPages(app, ctx, (pages) => shedding.admitPages(pages));
  registerCalendars(app, ctx, (calendars) => shedding.admitPages(calendars));
  await registerOffice(app);
  registerLanguageLinks(app, beyond.isHttps);
  app.get(CHANGE_PASSWORD, { schema: { hide: true } }, (_request, reply) =>
    reply.redirect('/forgot-password', 303),
  );
  await registerPortal(app, portalFolder, beyond);
  return app;
}

function createApp(ctx: Context, shedding: Shedding): FastifyInstance {
  const app = fastify({
    serverFactory: (handle) => createAppServer(shedding, handle),
    loggerInstance: ctx.log,
    logController: new LogController({ disableRequestLogging: true }),
    // The server's own: a client's could be another request's, or a line of the log.
    genReqId: () => randomUUID(),
    requestIdHeader: false,
    bodyLimit: BODY_BYTES,
    trustProxy: (_address, hop) => hop < ctx.config.trustedHops,
    // As long as a head may be: a path that names too many ids is the guard's to refuse, in words.
    routerOptions: { maxParamLength: MOST_HEAD_BYTES },
    forceCloseConnections: 'idle',
    // What still comes over a connection that is there when the process stops is answered as well.
    return503OnClosing: false,
    clientErrorHandler: answerClientError,
    // A path that cannot be decoded, or is too long, is not found.
    frameworkErrors: (_error, request, reply) =>
      answerError(
        inLanguageOf(request, notFound),
        request,
        reply.headers({ connection: 'close', 'x-content-type-options': 'nosniff' }),
      ),
  });
  requireAccess(app);
  app.setErrorHandler(answerError);
  app.setNotFoundHandler(refuseUnrouted);
  return app;
}

/** Only JSON, and of a large body only the photo may be large. */
function takeBodies(app: FastifyInstance): void {
  app.removeContentTypeParser('text/plain');
  const parseJson = app.getDefaultJsonParser('error', 'error');
  app.removeContentTypeParser('application/json');
  app.addContentTypeParser<string>(
    'application/json',
    { parseAs: 'string' },
    (request, body, done) => {
      // A call without a body may still name its type.
      if (body === '' && mayBeEmpty(request.routeOptions.schema?.body)) done(null);
      else if (isMoreThanPhoto(body))
        done(inLanguageOf(request, () => new Refusal(413, bodyTooLarge())));
      else void parseJson(request, body, done);
    },
  );
  app.setValidatorCompiler(compileValidator);
  app.setSerializerCompiler(createSerializerCompiler());
}

function answerInTime(app: FastifyInstance, { stopping, clock }: Context): void {
  app.addHook('onRequest', (request, reply, done) => {
    limitBodyTime(request, reply);
    done();
  });
  app.addHook('preHandler', (request, _reply, done) => {
    allowAnswerTime(request);
    done();
  });
  app.addHook('onSend', async (_request, reply) => {
    if (stopping.aborted) reply.header('connection', 'close');
    // Pages count days by it, because a device's own clock may be wrong.
    reply.header('date', clock.now().toUTCString());
  });
}

function logRequests(app: FastifyInstance): void {
  app.addHook('onResponse', async ({ log, method, routeOptions }, { statusCode, elapsedTime }) => {
    const route = routeOptions.url ?? 'unknown';
    log.info({ method, route, status: statusCode, ms: Math.round(elapsedTime) }, 'request');
  });
}

/** Refuses, in this order, what no route is asked about. */
function refuseUnsuited(app: FastifyInstance, { config }: Context, beyond: Beyond): void {
  answerInLanguage(app);
  // First, so that under no host but its own the office says more than that it is not there.
  separateOffice(app, config.office);
  const { publicUrl, office, trustedHops } = config;
  const urls = [publicUrl, ...(office === null ? [] : [office.url])];
  refuseOtherHosts(app, urls, 'PUBLIC_URL', trustedHops);
  requireAddress(app, trustedHops);
  if (beyond.isHttps) keepToHttps(app);
  registerHeaders(app, beyond);
  refuseUnfit(app);
  app.addHook('onRequest', (request, _reply, done) =>
    done(request.url.includes('%00') ? notFound() : undefined),
  );
}

/** The calls of tenants and their pages. */
function registerApi(api: FastifyInstance, ctx: Context): void {
  demandShapes(api);
  sealApi(api);
  compressReads(api);
  const refuseTheOthers = refuseOtherMethods(api);
  watchForTokens(api, ctx);
  guardHostedFields(api, ctx);
  const routes = routesOf(api, ctx);
  for (const register of features) register(routes);
  registerMailboxApi(api, ctx);
  registerStripeWebhook(api, ctx);
  registerTwilioWebhook(api, ctx);
  registerPolicyReports(api, ctx);
  refuseTheOthers();
  // Else the portal's page would answer for a call that does not exist.
  refuseUnknown(api, '/*');
}

/** The calls of staff. */
function registerOfficeApi(office: FastifyInstance, ctx: Context): void {
  demandShapes(office);
  sealApi(office);
  const refuseTheOthers = refuseOtherMethods(office);
  watchForTokens(office, ctx);
  const routes = officeRoutesOf(office, ctx);
  for (const register of officeFeatures) register(routes);
  refuseTheOthers();
  refuseUnknown(office, '/office');
  refuseUnknown(office, '/office/*');
}

function refuseUnknown(calls: FastifyInstance, url: string): void {
  const schema = { hide: true, response: refusals };
  calls.all(url, { config: { access: 'public' }, schema }, () => {
    throw notFound();
  });
}

/** The app's server with its time limits; a read that `shedding` refuses does not reach the app. */
function createAppServer(shedding: Shedding, handle: RequestListener): Server {
  const limits = {
    requestTimeout: REQUEST_TIMEOUT_MS,
    headersTimeout: 10_000,
    keepAliveTimeout: 75_000,
    connectionsCheckingInterval: 1000,
    maxHeaderSize: MOST_HEAD_BYTES,
    requireHostHeader: false,
  };
  const server = createServer(limits, (request, response) => {
    if (!shedding.refuse(request, response)) handle(request, response);
  });
  return server.setTimeout(20_000);
}
