/**
 * `npm run bench` measures the server's answers; `npm run bench -- paint` how fast the pages are there, and
 * `npm run bench -- billing` the runs over all ledgers of a facility, `npm run bench -- walls` what guard and row-level security cost,
 * `npm run bench -- reads` the same read in a small and a large world, and `npm run bench -- import` the import of CSV files;
 * `npm run bench -- processes` one process beside two and their memory.
 */
if (process.argv[2] === 'paint') await import('./paint.ts');
else if (process.argv[2] === 'billing') await import('./billing.ts');
else if (process.argv[2] === 'walls') await import('./walls.ts');
else if (process.argv[2] === 'reads') await import('./reads.ts');
else if (process.argv[2] === 'import') await import('./import.ts');
else if (process.argv[2] === 'processes') await import('./processes.ts');
else await import('./requests.ts');
