import { z } from 'zod/mini';

/** Every id but gate schedules and e-sign states is UUID text (design section 5). */
export const id = z.uuid();

/** Ids a path may list: at most 50, comma-joined (D30). */
export const MOST_IDS = 50;

/** The parameters of every path under the facility prefix (spec section 7). */
export const facilityParams = z.object({ corp: z.string(), locationCode: z.string() });

/** An empty answer's shape: the call was done and there is nothing to say. */
export const done = z.object({ success: z.literal(true) });
