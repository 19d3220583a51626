import { Command, InvalidArgumentError } from 'commander';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { stderr, stdout } from 'node:process';
import { emailAddress } from '@gatehouse/contract/text';
import { COMMAND } from '#config/command.ts';
import { readConfig, type Config } from '#config/config.ts';
import { isDatabaseGiven, noDatabaseFault } from '#config/data-folder.ts';
import { checkEnvironment } from '#config/environment-faults.ts';
import { openOwnerDatabase, type Database } from '#db/database.ts';
import { findEmbedded, startEmbedded } from '#db/embedded.ts';
import { examine } from '#operator/doctor/checks.ts';
import type { Level } from '@gatehouse/contract/office/going-live';
import type { Finding } from '#features/desk/going-live/finding.ts';
import { checkUsable } from '#app/prepare.ts';
import { StartFault } from '#errors/start-fault.ts';
import { exitCodes } from './runner.ts';

type Options = { sendMailTo?: string; json?: boolean };

/** `doctor`: checks everything that the server depends on, and says what to do. */
export function doctorCommand(): Command {
  return new Command('doctor')
    .description(
      'Checks settings, database, clock, mail, gateway, photos, keys, jobs, backups and disk.',
    )
    .option('--send-mail-to <address>', 'also send a test mail to this address', mailAddress)
    .option('--json', 'print one JSON array')
    .addHelpText(
      'after',
      `
Run it with the settings of the server. It leaves no change behind: it connects to the mail server, looks a nonexistent
payment up at the gateway, and writes, reads and removes a file. Exits with 0 if all is well, 3 for a warning and 1 for a
fault.

Examples:
  ${COMMAND} doctor
  ${COMMAND} doctor --send-mail-to you@example.com
  ${COMMAND} doctor --json`,
    )
    .action(async ({ sendMailTo, json = false }: Options) => {
      const findings = await findAll(
        sendMailTo,
        json ? () => {} : (finding) => stdout.write(`${formatFinding(finding)}\n`),
      );
      if (json) stdout.write(`${JSON.stringify(findings)}\n`);
      process.exitCode = codeOf(findings);
    });
}

async function findAll(
  sendMailTo: string | undefined,
  onFinding: (finding: Finding) => void,
): Promise<Finding[]> {
  const { faults, given } = checkEnvironment(process.env);
  const settings: Finding[] = faults.map((says) => ({
    subject: 'settings',
    level: 'fault',
    says,
    todo: '.env.example says of each what it takes.',
  }));
  // Without settings there is nothing else to look at.
  if (faults.length > 0) {
    settings.forEach(onFinding);
    return settings;
  }
  const config = readConfig(process.env, { makesKeys: isDatabaseGiven(given) });
  const first: Finding = {
    subject: 'settings',
    level: 'ok',
    says: `They fit the ${config.profile} profile.`,
  };
  onFinding(first);
  const reached = await reach(config).catch((error: unknown) => {
    if (!(error instanceof StartFault)) throw error;
    return error;
  });
  if (reached instanceof StartFault) {
    const away: Finding = {
      subject: 'database',
      level: 'fault',
      says: reached.message,
      todo: 'Put that right; without the database the rest cannot be looked at.',
    };
    onFinding(away);
    return [first, away, ...(await examine({ config, db: null, sendMailTo }, onFinding))];
  }
  try {
    return [first, ...(await examine({ config, db: reached.db, sendMailTo }, onFinding))];
  } finally {
    await reached.close();
  }
}

type Reached = { db: Database; close: () => Promise<void> };

async function reach(config: Config): Promise<Reached> {
  const found = config.databaseUrl ?? (await findEmbedded(config.dataDir));
  if (found !== null) return open(found, () => Promise.resolve());
  if (!existsSync(join(config.dataDir, 'postgres'))) throw noDatabaseFault(config.dataDir);
  const embedded = await startEmbedded({
    dataDir: config.dataDir,
    log: (line) => stderr.write(`${line}\n`),
  });
  return open(embedded.url, () => embedded.stop());
}

async function open(url: string, stop: () => Promise<void>): Promise<Reached> {
  const db = openOwnerDatabase(url);
  const close = async () => {
    await db.destroy();
    await stop();
  };
  try {
    await checkUsable(db);
  } catch (error) {
    await close();
    throw error;
  }
  return { db, close };
}

const MARKS: Record<Level, string> = { ok: 'ok     ', warning: 'WARNING', fault: 'FAULT  ' };

/** Such as `WARNING  backups     The last was made 30.2 hours ago. → npm run cli -- backup`. */
function formatFinding({ subject, level, says, todo }: Finding): string {
  return `${MARKS[level]}  ${subject.padEnd(10)}  ${says}${todo === undefined || level === 'ok' ? '' : `\n${' '.repeat(21)}→ ${todo}`}`;
}

function codeOf(findings: Finding[]): number {
  if (findings.some(({ level }) => level === 'fault')) return exitCodes.FAULT;
  return findings.some(({ level }) => level === 'warning') ? exitCodes.PARKED : exitCodes.DONE;
}

function mailAddress(text: string): string {
  const parsed = emailAddress('The address').safeParse(text);
  if (!parsed.success) throw new InvalidArgumentError('It must be one mail address.');
  return parsed.data;
}
