import { z } from 'zod/mini';

/** Every id but gate schedules and e-sign states is UUID text. */
export const id = z.uuid();

/** The parameters of every path under the facility prefix. */
export const facilityParams = z.object({ corp: z.string(), locationCode: z.string() });

/** An empty answer's shape: the call was done and there is nothing to say. */
export const done = z.object({ success: z.literal(true) });
