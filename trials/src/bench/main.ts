/**
 * The benchmarks of docs/benchmarks.md. `npm run bench` measures requests; `npm run bench -- NAME`
 * measures `paint` (first paint of the pages), `taps` (presses and seconds of what tenants come for),
 * `billing` (runs over all ledgers of a facility),
 * `guard` (the cost of guard and row-level security), `proofs` (the cost of bound tokens), `reads`
 * (reads in a small and a large database), `import` (the import of CSV files) or `processes` (two
 * processes and their memory).
 */
if (process.argv[2] === 'paint') await import('./paint.ts');
else if (process.argv[2] === 'taps') await import('./taps.ts');
else if (process.argv[2] === 'billing') await import('./billing.ts');
else if (process.argv[2] === 'guard') await import('./guard.ts');
else if (process.argv[2] === 'proofs') await import('./proofs.ts');
else if (process.argv[2] === 'reads') await import('./reads.ts');
else if (process.argv[2] === 'import') await import('./import.ts');
else if (process.argv[2] === 'processes') await import('./processes.ts');
else await import('./requests.ts');
