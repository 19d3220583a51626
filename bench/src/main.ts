/**
 * `npm run bench` measures the server's answers; `npm run bench -- paint` how fast the pages are there, and
 * `npm run bench -- billing` the runs over all ledgers of a facility, `npm run bench -- walls` what guard and row-level security cost.
 */
if (process.argv[2] === 'paint') await import('./paint.ts');
else if (process.argv[2] === 'billing') await import('./billing.ts');
else if (process.argv[2] === 'walls') await import('./walls.ts');
else await import('./requests.ts');
