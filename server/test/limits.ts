import { onTestFinished } from 'vitest';
import type { Limits } from '#config/limits.ts';
import type { TestApp } from './app.ts';

/** Sets these limits until the end of the test, with nothing counted yet. */
export async function setLimits({ ctx, sql }: TestApp, numbers: Partial<Limits>): Promise<void> {
  const { config } = ctx;
  ctx.config = { ...config, limits: { ...config.limits, ...numbers } };
  onTestFinished(() => {
    ctx.config = config;
  });
  await sql`TRUNCATE limit_counts`;
}
