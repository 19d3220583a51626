/** The arrows of docs/architecture.md: imports point down, and nothing goes round in a circle. */
const upward = (name, from, to, why) => ({
  name,
  severity: 'error',
  comment: why,
  from: { path: from },
  to: { path: to },
});

module.exports = {
  forbidden: [
    { name: 'no-circular', severity: 'error', from: {}, to: { circular: true } },
    upward('web-and-server-are-strangers', '^web/', '^server/', 'the contract is all they share'),
    upward('server-and-web-are-strangers', '^server/', '^web/', 'the contract is all they share'),
    {
      name: 'contract-imports-zod-alone',
      severity: 'error',
      from: { path: '^contract/src/', pathNot: '[.]test[.]ts$' },
      to: { pathNot: '^(contract/src/|node_modules/zod/)' },
    },
    upward('ui-knows-no-tenant', '^web/src/ui/', '^web/src/(api|session|features|screens|app)/', 'ui is about looks'),
    upward(
      'ui-knows-no-store-or-router',
      '^web/src/ui/',
      '^node_modules/(react-router|react-redux|@reduxjs)/',
      'ui is about looks',
    ),
    {
      name: 'brand-imports-nothing',
      severity: 'error',
      comment: 'an operator changes it without knowing the rest',
      from: { path: '^web/src/brand/' },
      to: { path: '^(web|contract|server)/', pathNot: '^web/src/brand/' },
    },
    upward(
      'session-is-the-ground-floor',
      '^web/src/session/',
      '^web/src/(api|features|screens|app|ui)/',
      'everything stands on it',
    ),
    upward('web-api-points-down', '^web/src/api/', '^web/src/(features|screens|app|ui)/', 'calls know no screen'),
    upward('web-features-point-down', '^web/src/features/', '^web/src/(screens|app)/', 'screens compose features'),
    {
      name: 'web-features-are-strangers',
      severity: 'error',
      comment: 'compose them in a screen; shared calls live in api',
      from: { path: '^web/src/features/([^/]+)/' },
      to: { path: '^web/src/features/', pathNot: '^web/src/features/$1/' },
    },
    upward('web-screens-point-down', '^web/src/screens/', '^web/src/app/', 'the app shows screens'),
    upward(
      'server-features-point-down',
      '^server/src/features/.*(?<![.]test)[.]ts$',
      '^server/src/(jobs|cli|seeds|app[.]ts|prepare[.]ts|start[.]ts|main[.]ts)',
      'the app registers features',
    ),
    upward(
      'server-http-points-down',
      '^server/src/http/',
      '^server/src/(features|jobs|cli|seeds|app[.]ts|prepare[.]ts|start[.]ts|main[.]ts)',
      'http serves features',
    ),
    upward(
      'server-context-points-down',
      '^server/src/context[.]ts',
      '^server/src/(http|features|jobs|cli|seeds)',
      'the context is what they stand on',
    ),
    upward(
      'server-db-points-down',
      '^server/src/db/',
      '^server/src/(adapters|context|http|features|jobs|cli|seeds)',
      'tables know nobody',
    ),
    upward(
      'server-adapters-point-down',
      '^server/src/adapters/.*(?<![.]test)[.]ts$',
      '^server/src/(context|http|features|jobs|cli|seeds)',
      'adapters know the outside, not us',
    ),
    {
      name: 'server-config-knows-nobody',
      severity: 'error',
      comment: 'everything is built from it',
      from: { path: '^server/src/config[.]ts' },
      to: {
        path: '^(server|contract|web)/',
        pathNot: '^server/src/(start-fault|failpoints|limits|private-addresses)[.]ts$',
      },
    },
    upward('nothing-stands-on-trials', '^(contract|server|web)/', '^(trials|ops)/', 'trials look at what is served'),
    upward('trials-know-no-drill', '^trials/', '^ops/', 'the drill uses the harness'),
    upward(
      'harness-points-down',
      '^trials/src/harness/',
      '^trials/src/(?!harness/)',
      'proofs, attacks and benchmarks use the harness',
    ),
    upward(
      'models-point-down',
      '^trials/src/(models|fuzz)/',
      '^trials/src/(proofs|attacks|bench)/',
      'proofs use models',
    ),
    {
      name: 'proofs-attacks-and-benchmarks-are-strangers',
      severity: 'error',
      comment: 'what two of them need is in the harness',
      from: { path: '^trials/src/(proofs|attacks|bench)/' },
      to: { path: '^trials/src/(proofs|attacks|bench)/', pathNot: '^trials/src/$1/' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^web/dist/' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'types', 'default'],
      extensions: ['.ts', '.tsx', '.js', '.mjs', '.cjs'],
    },
  },
};
