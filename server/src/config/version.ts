import about from '../../package.json' with { type: 'json' };

/** The version of this Gatehouse. */
export const VERSION = about.version;
