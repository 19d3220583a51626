/** `npm run bench` measures the server's answers; `npm run bench -- paint` how fast the pages are there. */
if (process.argv[2] === 'paint') await import('./paint.ts');
else await import('./requests.ts');
