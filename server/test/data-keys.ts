/** The DATA_KEYS of all servers on a copy of a template: its values were sealed with them. */
export const TEST_DATA_KEYS = '07'.repeat(32);
