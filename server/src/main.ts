import { start } from './app/start.ts';
import { StartFault } from './errors/start-fault.ts';

try {
  await start(process.env);
} catch (error) {
  if (!(error instanceof StartFault)) throw error;
  console.error(`Gatehouse cannot start: ${error.message}`);
  process.exit(1);
}
