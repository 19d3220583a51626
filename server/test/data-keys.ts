/** The DATA_KEYS of everything that serves a copy of a template: what was sealed in there opens with no other. */
export const TEST_DATA_KEYS = '07'.repeat(32);
