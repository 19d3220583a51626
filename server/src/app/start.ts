import { once } from 'node:events';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { setTimeout as pause } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { clockOf } from '#adapters/clock.ts';
import type { EsignService } from '#adapters/esign/esign.ts';
import { createHttpEsign } from '#adapters/esign/http-esign.ts';
import { createLocalEsign } from '#adapters/esign/local-esign.ts';
import { createDiskFiles } from '#adapters/files/disk.ts';
import type { FileStore } from '#adapters/files/files.ts';
import { createS3Files } from '#adapters/files/s3.ts';
import type { GateController } from '#adapters/gate/controller.ts';
import { createFileGate } from '#adapters/gate/file-gate.ts';
import { createSandboxGate } from '#adapters/gate/sandbox-gate.ts';
import { createWebhookGate } from '#adapters/gate/webhook-gate.ts';
import { mailbox } from '#adapters/mail/mailbox.ts';
import type { MailTransport } from '#adapters/mail/transport.ts';
import type { PaymentGateway } from '#adapters/payments/gateway.ts';
import { createSandboxGateway } from '#adapters/payments/sandbox-gateway.ts';
import { createSimulatorGateway } from '#adapters/payments/simulator-gateway.ts';
import { createStripeGateway } from '#adapters/payments/stripe-gateway.ts';
import { sandboxTexts } from '#adapters/text-messages/sandbox-texts.ts';
import type { TextMessages } from '#adapters/text-messages/text-messages.ts';
import { buildApp } from '#app/app.ts';
import { readConfig, type Config } from '#config/config.ts';
import type { Context } from '#context/context.ts';
import { checkServing, openDatabase, type Database } from '#db/database.ts';
import { autopayListener } from '#features/money/autopay/payment-listener.ts';
import { TWILIO_WEBHOOK } from '#features/desk/text-sending/webhook.ts';
import { startEmbedded } from '#db/embedded.ts';
import { armFailpoint } from '#config/failpoints.ts';
import { portalFault } from '#http/pages.ts';
import { buildOperatorApp } from '#http/operator.ts';
import { buildWorkerApp } from '#http/worker.ts';
import { sweepGates } from '#jobs/gates.ts';
import { sweepOpenPayments } from '#jobs/open-payments.ts';
import { openQueue, type Queue } from '#jobs/queue.ts';
import { openLog } from '#telemetry/log.ts';
import { createMetrics } from '#telemetry/metrics.ts';
import { calm, watchPressure } from '#telemetry/pressure.ts';
import { createLeaseImporter } from '#app/lease-importer.ts';
import { addDemoFiles, prepareDatabase } from '#app/prepare.ts';
import { DEMO_PASSWORD, demoSignIns, demoStaff } from '#seeds/demo.ts';
import { StartFault } from '#errors/start-fault.ts';
import { checkSurroundings } from '#app/start-checks.ts';
import { openVault } from '#crypto/vault.ts';

/**
 * How long a gateway has to answer: the sandbox does so within milliseconds or never, and R28
 * allows five seconds; Stripe has the time of every call to the outside.
 */
const GATEWAY_TIMEOUT_MS = { sandbox: 4500, simulator: 4500, stripe: 20_000 };
/**
 * What is under way when the process stops accepting gets this long, and the process is gone soon
 * after.
 */
const FINISH_MS = 22_000;
const GONE_MS = 25_000;

// Each statement leaves a little that only a full collection finds; by itself V8 waits with it
// until the heap is several times as large (decision 20). Before the first collection, which
// decides when the next one comes.
setFlagsFromString('--heap-growing-percent=40');

/**
 * Starts the server from its environment: database, migrations, demo data in the sandbox profile,
 * job queue and port, depending on PROCESS. SIGTERM, SIGINT and SIGHUP stop it: `/readyz` answers
 * 503 at once; after the drain it accepts nothing new, finishes what is under way, returns its jobs
 * and shuts down in reverse order. Throws a StartFault for what the operator can fix.
 */
export async function start(env: NodeJS.ProcessEnv): Promise<void> {
  await checkSurroundings(env);
  const config = readConfig(env);
  const log = openLog(config.logLevel);
  await checkPort(config);
  const closers: (() => Promise<unknown>)[] = [];
  const stopping = new AbortController();
  const closeAll = async () => {
    for (const close of closers.reverse()) await close();
  };
  stopOnSignal(log, config.drainSeconds, closeAll, stopping);
  try {
    const url = await openUrl(config, closers);
    if (await prepareDatabase(url, config)) {
      await addDemoFiles(url, config, await openFiles(config));
      say('The demo world was made.');
    }
    const { ctx, queue } = await openContext(config, url, log, closers, stopping.signal);
    warnOfOwnDisk(config, log);
    warnOfOtherPortal(config, log);
    const stopSweeping =
      config.process === 'app' ? () => Promise.resolve() : await beginWork(ctx, queue);
    if (config.metrics !== undefined) {
      const operatorApp = buildOperatorApp(ctx);
      closers.push(() => operatorApp.close());
      say(
        `Metrics for the operator: ${await listen(operatorApp, config.metrics, 'METRICS_')}/metrics`,
      );
    }
    const app = config.process === 'worker' ? buildWorkerApp(ctx) : await buildApp(ctx);
    closers.push(() =>
      Promise.race([
        Promise.all([app.close(), stopSweeping(), queue.rest()]),
        pause(FINISH_MS, undefined, { ref: false }),
      ]),
    );
    welcome(await listen(app, config), config);
  } catch (error) {
    await closeAll();
    throw error;
  }
}

/**
 * Starts the job workers, their schedules, and the sweeps of payments and gates; returns a function
 * that stops the sweeps.
 */
async function beginWork(ctx: Context, queue: Queue): Promise<() => Promise<unknown>> {
  await queue.work(ctx);
  await queue.keepTime();
  const ends = [sweepOpenPayments(ctx), sweepGates(ctx)];
  return () => Promise.all(ends.map((end) => end()));
}

/** The live profile does not come so far. */
function warnOfOtherPortal({ corporationCode }: Config, log: Logger): void {
  const sentence = portalFault(corporationCode);
  if (sentence === null) return;
  say(sentence);
  log.warn(sentence);
}

/** Each machine has its own disk: a photo that one took in would be missing on the others. */
function warnOfOwnDisk(config: Config, log: Logger): void {
  if (config.process === 'all' || config.files.kind !== 'disk') return;
  const sentence = `Photos lie in ${config.dataDir}, which all processes must share (FILES=disk): on several machines set FILES to a bucket.`;
  say(sentence);
  log.warn(sentence);
}

/**
 * The dependencies of the app and the commands, on a database that is prepared; each with its
 * closer. Throws a StartFault for a pooler in between that cannot be used.
 */
export async function openContext(
  config: Config,
  url: string,
  log: Logger,
  closers: (() => Promise<unknown>)[],
  stopping: AbortSignal,
): Promise<{ ctx: Context; queue: Queue }> {
  const onError = (error: Error) => {
    // While stopping, connections end because we end them.
    if (!stopping.aborted) log.error({ err: error }, 'a database connection broke');
  };
  const db = openDatabase(url, onError);
  closers.push(() => db.destroy());
  await checkServing(db);
  const queue = await openQueue(db, onError, { hasUpkeep: config.process !== 'app' });
  closers.push(() => queue.stop());
  const ctx: Context = {
    config,
    db,
    clock: clockOf(config),
    vault: openVault(config.dataKeys),
    gateway: await openGateway(config, db),
    gatewayTimeoutMs: GATEWAY_TIMEOUT_MS[config.payments.kind],
    paymentListeners: [autopayListener],
    mail: await openMail(config),
    texts: await openTexts(config),
    files: await openFiles(config),
    esign: openEsign(config, db),
    gate: openGate(config, db),
    importLeases: createLeaseImporter(url, config),
    enqueue: queue.enqueue,
    failpoint: armFailpoint(config.failpoint),
    stopping,
    pressure: config.shedLoad ? watchPressure() : () => calm,
    metrics: createMetrics(),
    log,
  };
  return { ctx, queue };
}

/** Who sends mails; what speaks to a mail server is loaded only where there is one. */
async function openMail({ smtpUrl, mailFrom }: Config): Promise<MailTransport> {
  if (smtpUrl === undefined) return mailbox;
  const { createSmtpTransport } = await import('#adapters/mail/smtp.ts');
  return createSmtpTransport(smtpUrl, mailFrom);
}

/** Who sends text messages; what speaks to Twilio is loaded only where it is set up. */
async function openTexts({ texts, publicUrl }: Config): Promise<TextMessages | null> {
  if (texts.kind === 'none') return null;
  if (texts.kind === 'sandbox') return sandboxTexts;
  const { createTwilioTexts } = await import('#adapters/text-messages/twilio-texts.ts');
  // Twilio refuses an address that it cannot reach.
  const isPublic = publicUrl.startsWith('https://');
  return createTwilioTexts(texts, isPublic ? `${publicUrl}${TWILIO_WEBHOOK}` : null);
}

/** Where photos are stored. */
export async function openFiles({ files, dataDir }: Config): Promise<FileStore> {
  return files.kind === 's3' ? createS3Files(files) : createDiskFiles(join(dataDir, 'files'));
}

/** Who moves the money; the sandbox needs the database for it. */
export async function openGateway(config: Config, db: Database): Promise<PaymentGateway> {
  const { payments, secret } = config;
  switch (payments.kind) {
    case 'sandbox':
      return createSandboxGateway(db, clockOf(config), secret);
    case 'simulator':
      return createSimulatorGateway(payments.url, secret);
    case 'stripe':
      return createStripeGateway(payments);
  }
}

function openEsign(config: Config, db: Database): EsignService {
  const { esign, profile } = config;
  if (esign.kind === 'local') return createLocalEsign(db, clockOf(config));
  return createHttpEsign({ ...esign, isPrivateRefused: profile === 'live' });
}

/** The gate controller of the settings, if any; the sandbox's keeps a table. */
export function openGate({ gate, profile, secret }: Config, db: Database): GateController | null {
  switch (gate.kind) {
    case 'none':
      return null;
    case 'sandbox':
      return createSandboxGate(db, secret);
    case 'file':
      return createFileGate(gate.folder);
    case 'webhook':
      return createWebhookGate({ ...gate, isPrivateRefused: profile === 'live' });
  }
}

async function openUrl(config: Config, closers: (() => Promise<unknown>)[]): Promise<string> {
  if (config.databaseUrl !== undefined) return config.databaseUrl;
  const embedded = await startEmbedded({ dataDir: config.dataDir, log: say });
  closers.push(() => embedded.stop());
  return embedded.url;
}

/** Finds a taken port before any slow step. */
async function checkPort(config: Config): Promise<void> {
  const probe = createServer();
  try {
    probe.listen(config.port, config.host);
    await once(probe, 'listening');
  } catch (error) {
    throw portFault(error, config) ?? error;
  } finally {
    probe.close();
  }
}

/** Opens the port and answers the address; port 0 takes any free one. */
async function listen(app: FastifyInstance, place: Place, prefix = ''): Promise<string> {
  try {
    const address = await app.listen({ port: place.port, host: place.host });
    return address.replace('127.0.0.1', 'localhost');
  } catch (error) {
    throw portFault(error, place, prefix) ?? error;
  }
}

type Place = { port: number; host: string };

/** `prefix` begins the names of the settings that say where. */
function portFault(error: unknown, { port, host }: Place, prefix = ''): StartFault | null {
  switch ((error as NodeJS.ErrnoException).code) {
    case 'EADDRINUSE':
      return new StartFault(
        `Port ${port} is already in use; stop what uses it or set ${prefix}PORT to another.`,
      );
    case 'EACCES':
      return new StartFault(
        `Port ${port} may not be used by this user; set ${prefix}PORT to one above 1023.`,
      );
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return new StartFault(`The address ${host} is not one of this machine; set ${prefix}HOST.`);
    default:
      return null;
  }
}

function stopOnSignal(
  log: Logger,
  drainSeconds: number,
  closeAll: () => Promise<void>,
  stopping: AbortController,
): void {
  const close = async (isFault: boolean) => {
    // Drain: serve until the load balancer has noticed `/readyz`. After a fault the state of the
    // process is unknown, so it accepts nothing new.
    if (!isFault) await pause(drainSeconds * 1000);
    setTimeout(() => process.exit(1), GONE_MS).unref();
    await closeAll();
  };
  const stop = (isFault: boolean) => {
    if (stopping.signal.aborted) return;
    stopping.abort();
    close(isFault).then(
      () => process.exit(isFault ? 1 : 0),
      (error: unknown) => {
        log.error({ err: error }, 'the server did not stop cleanly');
        process.exit(1);
      },
    );
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(signal, () => stop(false));
  // The start script holds the other end of this channel: when it is killed, the server goes with
  // it.
  process.once('disconnect', () => stop(false));
  // An error outside of any request: finish what is under way; the supervisor starts another
  // process.
  process.on('uncaughtException', (error) => {
    log.fatal({ err: error }, 'an uncaught error stops the server');
    stop(true);
  });
}

function welcome(address: string, config: Config): void {
  if (config.process === 'worker') {
    say(`Gatehouse works on its jobs: ${address}`);
    return;
  }
  if (config.profile === 'live') {
    say(`Gatehouse is ready: ${address}`);
    return;
  }
  const width = Math.max(...demoSignIns.map(({ email }) => email.length));
  say('');
  say(`Gatehouse is ready: ${address}`);
  say('');
  say(`Demo sign-ins (password of all: ${DEMO_PASSWORD}):`);
  for (const { email, location, shows } of demoSignIns)
    say(`  ${email.padEnd(width)}  ${location.padEnd(8)} ${shows}`);
  say('');
  const office = config.office?.isApart === true ? config.office.url : address;
  say(`The office, for staff: ${office}/office (the same password)`);
  for (const { email, role, locationCodes } of demoStaff)
    say(`  ${email}: ${role} of ${locationCodes.join(' and ') || 'all facilities'}`);
  say('');
  say(
    `A tenant with no sign-in yet: newcomer@example.com at TXDFW03. The code to sign up with is in the mailbox:`,
  );
  say(`  ${address}/mailbox`);
  say('');
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
