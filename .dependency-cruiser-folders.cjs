const { options } = require('./.dependency-cruiser.cjs');

/**
 * Folders import each other in one direction. Tests may look at the features above theirs, so they
 * are left out, which a rule about folders cannot do by itself.
 */
module.exports = {
  forbidden: [
    {
      name: 'no-circle-of-folders',
      severity: 'error',
      comment: 'a fact that two folders need is below both; the composer announces what happened',
      scope: 'folder',
      from: {},
      to: { circular: true },
    },
  ],
  options: {
    ...options,
    exclude: { path: '^web/dist/|[.](test|fixture|contract)[.]tsx?$|^server/test/' },
  },
};
