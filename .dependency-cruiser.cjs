/** The arrows of docs/architecture.md. */
const FEATURES =
  '^src/(analysis|archive|audit|dashboard|documents|events|idempotency|jobs|keys|mcp|members|requests|sessions|templates|usage|webhooks)/';

module.exports = {
  forbidden: [
    {
      name: 'no-cycles',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    {
      name: 'documents-know-no-webhooks',
      comment: 'A document emits events and does not know who listens.',
      severity: 'error',
      from: { path: '^src/features/documents/' },
      to: { path: '^src/(webhooks|analysis)/' },
    },
    {
      name: 'templates-know-no-documents',
      comment:
        'Documents begin with templates, never the other way round. What both share is what their fields may hold.',
      severity: 'error',
      from: { path: '^src/features/templates/' },
      to: {
        path: '^src/(documents|events|webhooks|analysis)/',
        pathNot:
          '^src/features/documents/(document-type|free-form|dto/(open-objects|text-fields)|changes/json-merge-patch)\\.ts$',
      },
    },
    {
      name: 'events-know-no-feature',
      severity: 'error',
      from: { path: '^src/features/events/' },
      to: { path: '^src/(documents|keys|webhooks|analysis|templates)/' },
    },
    {
      name: 'audit-and-usage-know-no-feature',
      comment: 'Every feature writes into the one and asks the other for room.',
      severity: 'error',
      from: { path: '^src/(audit|usage)/' },
      to: {
        path: '^src/(documents|events|idempotency|keys|requests|webhooks|analysis|templates)/',
      },
    },
    {
      name: 'jobs-know-no-runner',
      comment: 'Features order jobs and bring the runners; job-kinds.module.ts lists them.',
      severity: 'error',
      from: { path: '^src/features/jobs/' },
      to: { path: '^src/(archive|documents|events|keys|templates|usage|webhooks|analysis)/' },
    },
    {
      name: 'archive-is-known-to-nobody',
      comment: 'It reads and writes what features have, by what they offer for it.',
      severity: 'error',
      from: { path: '^src/[^/]+/', pathNot: '^src/features/archive/' },
      to: { path: '^src/features/archive/' },
    },
    {
      name: 'webhooks-know-only-events',
      severity: 'error',
      from: { path: '^src/features/webhooks/' },
      // What types of documents there are is a word of the filter.
      to: {
        path: '^src/(documents|analysis|templates)/',
        pathNot: '^src/features/content/document-type\\.ts$',
      },
    },
    {
      name: 'mcp-knows-only-the-api',
      comment:
        'Its tools ask the API under /v1, here or of another process, so that all rules of the API hold for them.',
      severity: 'error',
      from: { path: '^src/features/mcp/' },
      to: {
        path: [FEATURES, '^src/(database|rate-limit)/', 'node_modules/(pg|typeorm)/'],
        pathNot: ['^src/features/mcp/', '^src/features/documents/changes/text-edits\\.ts$'],
      },
    },
    {
      name: 'conversion-knows-no-feature',
      comment: 'Text goes in and files come out, and the other way round: no database, no HTTP.',
      severity: 'error',
      from: { path: '^packages/conversion/src/' },
      to: {
        path: [
          FEATURES,
          '^src/(auth|rate-limit|database|envelope|http|openapi|identifiers)/',
          'node_modules/(express|pg|typeorm)/',
        ],
      },
    },
    {
      name: 'threads-load-little',
      comment: 'What a thread runs is loaded anew in each: no database, no HTTP, no framework.',
      severity: 'error',
      from: { path: '^src/(threads/|.+/(conversion|long-text|analysis|model)-thread\\.ts$)' },
      to: {
        path: '^src/(auth|database|envelope|http|openapi)/|node_modules/(@nestjs|express|pg|typeorm)/',
        reachable: true,
      },
    },
    {
      name: 'auth-knows-no-feature',
      severity: 'error',
      from: { path: '^src/features/access/auth/' },
      to: { path: [FEATURES, '^src/features/access/rate-limit/'] },
    },
    {
      name: 'foundations-know-no-feature',
      comment: 'database/entities.ts is the list of all tables, and nothing else there looks up.',
      severity: 'error',
      from: {
        path: '^src/(clock|config|database|envelope|errors|identifiers|log|network|pagination|secrets|threads)/',
        pathNot: '^src/platform/database/(entities\\.ts$|migrations/)',
      },
      to: { path: [FEATURES, '^src/(auth|rate-limit|health|http|boot)/'] },
    },
    {
      name: 'errors-know-no-http',
      severity: 'error',
      from: { path: '^src/platform/basics/errors/' },
      to: { path: '^src/(envelope|http)/|node_modules/(@nestjs|express)/' },
    },
    {
      name: 'entities-are-private',
      comment:
        "A feature reaches another one by its service, not by its tables. Accounts and users are everyone's owner, an archive has what all features keep, and `auth` looks keys up, which `keys` manages.",
      severity: 'error',
      from: { path: '^src/([^/]+)/', pathNot: '^src/(database/entities\\.ts$|archive/)' },
      to: {
        path: '^src/[^/]+/entities/',
        pathNot: ['^src/$1/', '^src/features/access/auth/entities/(account|api-key|member|user)\\.entity\\.ts$'],
      },
    },
    {
      name: 'no-typeorm-at-the-edge',
      severity: 'error',
      from: { path: '(controller|presenter|dto)\\.ts$' },
      to: { path: 'node_modules/(typeorm|@nestjs/typeorm|pg)/' },
    },
    {
      name: 'product-needs-no-tools',
      comment: 'The image installs only the packages below "dependencies" in package.json.',
      severity: 'error',
      from: { path: '^src/', pathNot: '\\.spec\\.ts$' },
      to: { dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown'] },
    },
    {
      name: 'src-knows-no-test',
      severity: 'error',
      from: { path: '^src/', pathNot: '\\.spec\\.ts$' },
      to: { path: '^(test|bench|scripts)/' },
    },
    {
      name: 'client-stands-alone',
      comment: 'It is installed without the rest of this repository, with one dependency.',
      severity: 'error',
      from: { path: '^sdk/' },
      to: { pathNot: '^sdk/|node_modules/openapi-fetch/' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      extensions: ['.ts', '.js', '.mjs', '.cjs', '.json'],
      conditionNames: ['import', 'require', 'node', 'default'],
    },
    exclude: { path: '^(sdk/)?(dist|coverage)/' },
  },
};
