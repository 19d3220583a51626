import { parseArgs } from 'node:util';
import { readConfig } from '#config/config.ts';
import { startEmbedded } from '#db/embedded.ts';
import { addDemoFiles, prepareDatabase } from '#app/prepare.ts';
import { openFiles } from '#app/start.ts';
import { StartFault } from '#errors/start-fault.ts';

// `npm run seed`: makes the demo world where nothing is there yet; with --reset throws the old one
// away first.
try {
  const { values } = parseArgs({ options: { reset: { type: 'boolean', default: false } } });
  await seed(values.reset);
} catch (error) {
  const isUsage = (error as NodeJS.ErrnoException).code?.startsWith('ERR_PARSE_ARGS') ?? false;
  if (!(error instanceof StartFault) && !isUsage) throw error;
  console.error((error as Error).message);
  process.exitCode = 1;
}

async function seed(reset: boolean): Promise<void> {
  const config = readConfig(process.env);
  if (config.profile === 'live')
    throw new StartFault('The demo world is for the sandbox profile alone.');
  if (reset && config.databaseUrl !== undefined)
    throw new StartFault(
      '--reset throws everything away, so it works on the embedded database alone; unset DATABASE_URL.',
    );
  const embedded =
    config.databaseUrl === undefined
      ? await startEmbedded({ dataDir: config.dataDir, log: console.log })
      : null;
  try {
    const url = embedded?.url ?? config.databaseUrl ?? '';
    const made = await prepareDatabase(url, config, { reset });
    if (made) await addDemoFiles(url, config, await openFiles(config));
    console.log(
      made
        ? 'The demo world was made.'
        : 'There is data already; --reset makes the demo world anew.',
    );
  } finally {
    await embedded?.stop();
  }
}
