import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { Context } from '#context/context.ts';
import { perMinute } from './per-minute.ts';
import { refusals } from './routes.ts';

/**
 * The path to which browsers report violations of the page policy. Outside of the contract, because
 * the portal never calls it.
 */
export const REPORTS_PATH = '/api/policy-reports';

const MOST_BYTES = 16 * 1024;
/**
 * Reports are unauthenticated, so one process logs at most this many a minute; the metrics count
 * the requests.
 */
const MOST_LOGGED = 30;

/** The fields of a report that are read; a browser sends more, some of it from the page. */
const report = z.object({
  type: z.literal('csp-violation'),
  body: z.object({
    effectiveDirective: z.string(),
    blockedURL: z.string().optional(),
    sourceFile: z.string().nullish(),
    lineNumber: z.int().nonnegative().nullish(),
  }),
});

/** The fields that are logged: words of the policy and origins, no data of the page. */
type Line = { directive: string; blocked: string; source: string; line: number };

/**
 * POST /api/policy-reports: accepts `application/reports+json`, logs the fields above, stores
 * nothing, answers 204.
 */
export function registerPolicyReports(api: FastifyInstance, { log, clock, config }: Context): void {
  const mayLog = perMinute(clock, MOST_LOGGED);
  void api.register((hook, _options, done) => {
    hook.removeAllContentTypeParsers();
    hook.addContentTypeParser(
      'application/reports+json',
      { parseAs: 'string' },
      hook.getDefaultJsonParser('error', 'error'),
    );
    hook.post(
      '/policy-reports',
      { bodyLimit: MOST_BYTES, schema: { hide: true, response: refusals } },
      (request, reply) => {
        const reports: unknown[] = Array.isArray(request.body) ? request.body : [];
        for (const one of reports) {
          const read = report.safeParse(one);
          if (read.success && mayLog())
            log.warn(lineOf(read.data.body, config.publicUrl), 'the page policy refused');
        }
        return reply.status(204).send();
      },
    );
    done();
  });
}

function lineOf(
  { effectiveDirective, blockedURL, sourceFile, lineNumber }: z.output<typeof report>['body'],
  ownOrigin: string,
): Line {
  return {
    directive: /^[a-z-]{1,40}$/.test(effectiveDirective) ? effectiveDirective : 'other',
    blocked: originOf(blockedURL, ownOrigin),
    source: originOf(sourceFile, ownOrigin),
    line: lineNumber ?? 0,
  };
}

/**
 * `self`, another origin, a scheme such as `data`, or a keyword instead of an address, such as
 * `inline`.
 */
function originOf(text: string | null | undefined, ownOrigin: string): string {
  if (text === undefined || text === null) return 'none';
  if (/^[a-z-]{1,40}$/.test(text)) return text;
  if (!URL.canParse(text)) return 'other';
  const { origin, protocol } = new URL(text);
  if (origin === ownOrigin) return 'self';
  return (origin === 'null' ? protocol.slice(0, -1) : origin).slice(0, 100);
}
