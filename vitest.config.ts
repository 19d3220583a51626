import { defineConfig } from 'vitest/config';

// Far above what any takes: they run next to proofs that keep the machine busy.
const patience = { testTimeout: 600_000, hookTimeout: 600_000 };

export default defineConfig({
  test: {
    // Every processor: much of a server test's time is the database's.
    maxWorkers: '100%',
    projects: [
      {
        // Its modules keep nothing.
        test: {
          name: 'contract',
          include: ['{contract,language}/src/**/*.test.ts'],
          isolate: false,
          ...patience,
        },
      },
      { test: { name: 'web', include: ['web/src/**/*.test.{ts,tsx}'], ...patience } },
      { test: { name: 'office', include: ['office/src/**/*.test.ts'], ...patience } },
      {
        test: {
          name: 'trials',
          include: ['trials/src/**/*.test.ts'],
          exclude: ['**/*.slow.test.ts'],
          ...patience,
        },
      },
      { test: { name: 'docs', include: ['docs/checks/*.test.ts'], ...patience } },
      {
        test: {
          name: 'server',
          include: ['server/src/**/*.test.ts', 'server/test/**/*.test.ts'],
          exclude: ['**/*.slow.test.ts'],
          globalSetup: ['server/test/cluster.ts'],
          setupFiles: ['server/test/rows-seen.ts', 'server/test/argon2-once.ts'],
          // Each file has its own app and database; the modules keep nothing of one that another
          // could miss.
          isolate: false,
          ...patience,
        },
      },
      {
        // They start our processes and databases, end them, restore and import, or compare long
        // runs with models; `npm run prove` runs them.
        test: {
          name: 'slow',
          include: ['server/{src,test}/**/*.slow.test.ts', 'trials/src/**/*.slow.test.ts'],
          globalSetup: ['server/test/cluster.ts'],
          setupFiles: ['server/test/rows-seen.ts'],
          ...patience,
        },
      },
    ],
  },
});
