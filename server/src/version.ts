import about from '../package.json' with { type: 'json' };

/** Of this Gatehouse. */
export const VERSION = about.version;
