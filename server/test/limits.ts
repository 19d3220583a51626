import { onTestFinished } from 'vitest';
import type { Limits } from '#config/limits.ts';
import type { TestApp } from './app.ts';

/** Sets these limits until the end of the test, with nothing counted yet. */
export async function setLimits(api: TestApp, numbers: Partial<Limits>): Promise<void> {
  const { config } = api.ctx;
  api.ctx.config = { ...config, limits: { ...config.limits, ...numbers } };
  onTestFinished(() => {
    api.ctx.config = config;
  });
  await api.sql`TRUNCATE limit_counts`;
}
