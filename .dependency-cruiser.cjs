/** The arrows of docs/architecture.md: imports point down, and no file is in a circle. */
const upward = (name, from, to, why) => ({
  name,
  severity: 'error',
  comment: why,
  from: { path: from },
  to: { path: to },
});

/** The wings of the server's features, each built on those before it. */
const wings = ['base', 'people', 'service', 'money', 'rentals', 'desk'];

module.exports = {
  forbidden: [
    { name: 'no-circular', severity: 'error', from: {}, to: { circular: true } },
    upward('web-imports-no-server', '^web/', '^server/', 'the contract is all they share'),
    upward('server-imports-no-web', '^server/', '^web/', 'the contract is all they share'),
    {
      name: 'contract-imports-zod-phones-and-language-alone',
      severity: 'error',
      from: { path: '^contract/src/', pathNot: '[.]test[.]ts$' },
      to: { pathNot: '^(contract/src/|language/src/|node_modules/(zod|libphonenumber-js)/)' },
    },
    {
      name: 'language-imports-lingui-alone',
      severity: 'error',
      comment: 'everything has texts, and a text needs nothing of what shows it',
      from: { path: '^language/src/', pathNot: '[.]test[.]ts$' },
      to: { pathNot: '^(language/src/|node_modules/@lingui/)' },
    },
    upward(
      'ui-knows-no-tenant',
      '^web/src/ui/',
      '^web/src/(api|session|features|screens|app)/',
      'ui is about looks',
    ),
    upward(
      'ui-knows-no-cache-or-router',
      '^web/src/ui/',
      '^node_modules/(react-router|@tanstack)/',
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
      'session-imports-nothing-above',
      '^web/src/session/',
      '^web/src/(api|features|screens|app|ui)/',
      'all other folders use it',
    ),
    upward(
      'web-api-points-down',
      '^web/src/api/',
      '^web/src/(features|screens|app|ui)/',
      'calls know no screen',
    ),
    upward(
      'web-features-point-down',
      '^web/src/features/',
      '^web/src/(screens|app)/',
      'screens compose features',
    ),
    {
      name: 'web-features-do-not-import-each-other',
      severity: 'error',
      comment: 'compose them in a screen; shared calls live in api',
      from: { path: '^web/src/features/([^/]+)/' },
      to: { path: '^web/src/features/', pathNot: '^web/src/features/$1/' },
    },
    upward('web-screens-point-down', '^web/src/screens/', '^web/src/app/', 'the app shows screens'),
    {
      name: 'office-shares-contract-and-brand',
      severity: 'error',
      comment: 'the office is built and served apart from the portal',
      from: { path: '^office/src/' },
      to: { path: '^(web|server)/', pathNot: '^web/src/brand/' },
    },
    upward(
      'office-screens-point-down',
      '^office/src/screens/',
      '^office/src/app/',
      'the app shows screens',
    ),
    upward(
      'office-parts-point-down',
      '^office/src/(parts|api)/',
      '^office/src/(screens|app)/',
      'screens use parts',
    ),
    upward(
      'server-app-points-down',
      '^server/src/app/',
      '^server/src/(operator|main[.]ts)',
      'the server runs without its command line',
    ),
    upward(
      'server-features-point-down',
      '^server/src/features/.*(?<![.](test|fixture))[.]ts$',
      '^server/src/(jobs|operator|seeds|app|main[.]ts)',
      'the app registers features',
    ),
    ...wings
      .slice(0, -1)
      .map((wing, index) =>
        upward(
          `server-wing-${wing}-points-down`,
          `^server/src/features/${wing}/.*(?<![.](test|fixture))[.]ts$`,
          `^server/src/features/(${wings.slice(index + 1).join('|')})/`,
          'a wing is built on those before it',
        ),
      ),
    upward(
      'server-jobs-point-down',
      '^server/src/jobs/.*(?<![.]test)[.]ts$',
      '^server/src/(operator|seeds|app|main[.]ts)',
      'the app starts jobs',
    ),
    upward(
      'server-seeds-point-down',
      '^server/src/seeds/.*(?<![.]test)[.]ts$',
      '^server/src/(context|http|jobs|operator|app|emails|papers|main[.]ts)',
      'they write rows, by the features whose rules hold for them',
    ),
    upward(
      'server-emails-point-down',
      '^server/src/emails/.*(?<![.]test)[.]ts$',
      '^server/src/(?!emails/|papers/|html/|db/)',
      'a mail is text made of what it is given',
    ),
    upward(
      'server-papers-point-down',
      '^server/src/papers/.*(?<![.]test)[.]ts$',
      '^server/src/(?!papers/|db/|errors/)',
      'a paper is drawn from what it is given',
    ),
    upward(
      'server-html-imports-nothing-above',
      '^server/src/html/.*(?<![.]test)[.]ts$',
      '^server/src/(?!html/)',
      'mails and pages use it',
    ),
    upward(
      'server-http-points-down',
      '^server/src/http/',
      '^server/src/(features|jobs|operator|seeds|app|main[.]ts)',
      'http serves features',
    ),
    upward(
      'server-context-points-down',
      '^server/src/context/',
      '^server/src/(http|features|jobs|operator|seeds|app)/',
      'the context is what they use',
    ),
    upward(
      'server-db-points-down',
      '^server/src/db/',
      '^server/src/(adapters|context|http|features|jobs|operator|seeds|app)/',
      'tables are below what reads them',
    ),
    upward(
      'server-adapters-point-down',
      '^server/src/adapters/.*(?<![.]test)[.]ts$',
      '^server/src/(context|http|features|jobs|operator|seeds|app)/',
      'adapters know the outside, not us',
    ),
    {
      name: 'server-base-imports-nothing-above',
      severity: 'error',
      comment: 'everything is built from configuration, telemetry, the vault and fair queues',
      from: { path: '^server/src/(config|errors|telemetry|crypto|sharing)/' },
      to: {
        path: '^(server|contract|web)/',
        pathNot: '^server/(src/(config|errors|telemetry|crypto|sharing)/|test/|package[.]json)',
      },
    },
    upward(
      'nothing-imports-trials',
      '^(contract|server|web)/',
      '^(trials|ops)/',
      'trials look at what is served',
    ),
    upward('trials-know-no-drill', '^trials/', '^ops/', 'the drill uses the harness'),
    upward(
      'harness-points-down',
      '^trials/src/harness/',
      '^trials/src/(?!harness/)',
      'proofs, attacks and benchmarks use the harness',
    ),
    upward(
      'the-simulator-knows-no-harness',
      '^trials/src/harness/simulator/.*(?<![.]test)[.]ts$',
      '^trials/src/harness/(?!simulator/)',
      'the harness starts the simulator',
    ),
    upward(
      'models-know-no-steps',
      '^trials/src/models/[^/]+(?<![.]test)[.]ts$',
      '^trials/src/models/steps/',
      'steps are taken by models',
    ),
    upward(
      'models-point-down',
      '^trials/src/(models|fuzz)/',
      '^trials/src/(proofs|attacks|bench)/',
      'proofs use models',
    ),
    {
      name: 'proofs-attacks-and-benchmarks-do-not-import-each-other',
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
