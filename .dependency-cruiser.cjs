const { readdirSync } = require('node:fs');

/**
 * The dependency table of docs/contribute/architecture.md: which folders of src/ a folder may import. Every one may import the packages
 * in packages/, except where `packages` below says less, and npm packages.
 */
const PLATFORM = ['platform'];
const BASE = [...PLATFORM, 'features/auth', 'features/rate-limit', 'features/audit'];
const RESOURCES = [
  ...BASE,
  'features/content',
  'features/events',
  'features/idempotency',
  'features/jobs',
  'features/search',
  'features/usage',
];
const FEATURES = readdirSync('src/features').map((name) => `features/${name}`);
const COMBINING = ['features/analysis', 'features/archive', 'features/dashboard', 'features/mcp'];
const APPLICATIONS = [...PLATFORM, ...FEATURES.filter((folder) => !COMBINING.includes(folder))];

/** Features that are not in this list may import `RESOURCES`. */
const EXCEPTIONS = {
  'features/auth': PLATFORM,
  'features/rate-limit': [...PLATFORM, 'features/auth'],
  'features/audit': [...PLATFORM, 'features/auth'],
  'features/content': BASE,
  'features/events': BASE,
  'features/idempotency': BASE,
  'features/jobs': BASE,
  'features/search': BASE,
  'features/usage': [...BASE, 'features/events'],
  'features/request-log': [...BASE, 'features/usage'],
  'features/documents': [...RESOURCES, 'features/collections', 'features/templates'],
  'features/releases': [...RESOURCES, 'features/collections', 'features/documents'],
  'features/oauth': [...RESOURCES, 'features/keys'],
  'features/people': [...RESOURCES, 'features/keys'],
  'features/analysis': APPLICATIONS,
  'features/archive': APPLICATIONS,
  'features/dashboard': APPLICATIONS,
  'features/mcp': [...PLATFORM, 'features/auth', 'features/content'],
};

const MAY_IMPORT = {
  platform: [],
  ...Object.fromEntries(FEATURES.map((folder) => [folder, EXCEPTIONS[folder] ?? RESOURCES])),
};

const layers = Object.entries(MAY_IMPORT).map(([folder, others]) => ({
  name: `${folder.replace('/', '-')}-imports-only-lower-layers`,
  severity: 'error',
  // A spec may look further: it compares what two folders define.
  from: { path: `^src/${folder}/`, pathNot: '\\.spec\\.ts$' },
  to: { path: '^src/', pathNot: [folder, ...others].map((name) => `^src/${name}/`) },
}));

module.exports = {
  forbidden: [
    ...layers,
    {
      name: 'no-circular',
      comment: 'Imports of types count: they make files impossible to read in order.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'not-to-unresolvable',
      severity: 'error',
      // Made by other generators.
      from: { pathNot: '^test/openapi/generat' },
      to: { couldNotResolve: true },
    },
    {
      name: 'features-import-no-entry-point',
      comment:
        'Features are listed in app.module.ts, worker.module.ts and tables.ts, and know none of them.',
      severity: 'error',
      from: { path: '^src/(platform|features|migrations)/', pathNot: '\\.spec\\.ts$' },
      to: { path: '^src/(entrypoints/|[^/]+\\.ts$)' },
    },
    {
      name: 'basics-import-no-other-folder',
      severity: 'error',
      from: { path: '^src/platform/basics/', pathNot: '\\.spec\\.ts$' },
      to: { path: '^src/', pathNot: '^src/platform/basics/' },
    },
    {
      name: 'packages-stand-alone',
      comment: 'A package knows neither the service nor another package.',
      severity: 'error',
      from: {
        path: '^packages/([^/]+)/',
        pathNot: '^packages/(conversion|dashboard|text-analysis)/',
      },
      to: {
        path: '^(src|test|bench|scripts|packages)/',
        pathNot: ['^packages/$1/', '^test/support/property-runs'],
      },
    },
    {
      name: 'readers-know-markdown',
      comment:
        'conversion and text-analysis share one reader of Markdown, and know nothing else here.',
      severity: 'error',
      from: { path: '^packages/(conversion|text-analysis)/' },
      to: {
        path: '^(src|test|bench|scripts|packages)/',
        pathNot: ['^packages/$1/', '^packages/markdown/', '^test/support/property-runs'],
      },
    },
    {
      name: 'dashboard-knows-text-packages',
      comment:
        'The dashboard also lists the scopes of keys and the audit actions, which the service defines.',
      severity: 'error',
      from: { path: '^packages/dashboard/src/' },
      to: {
        path: '^(src|test|bench|scripts|packages)/',
        pathNot: [
          '^packages/(dashboard|conversion|markdown|text-merge)/',
          '^src/features/(auth/scopes|audit/audit-actions)\\.ts$',
        ],
      },
    },
    {
      name: 'client-stands-alone',
      comment: 'It is installed without the rest of this repository, with one dependency.',
      severity: 'error',
      from: { path: '^packages/client/src/' },
      to: { pathNot: '^packages/client/|node_modules/openapi-fetch/' },
    },
    {
      name: 'entities-are-private',
      comment:
        'A feature reaches another one by its service, not by its tables. Accounts and users own everything, an archive holds what all features store, and `auth` looks up the keys that `keys` manages.',
      severity: 'error',
      from: { path: '^src/features/([^/]+)/', pathNot: '^src/features/archive/' },
      to: {
        path: '^src/features/.*/entities/',
        pathNot: [
          '^src/features/$1/',
          '^src/features/auth/entities/(account|api-key|member|user)\\.entity\\.ts$',
        ],
      },
    },
    {
      name: 'mcp-calls-the-api',
      comment:
        'Its tools send requests to /v1, here or to another process, so that all rules of the API apply.',
      severity: 'error',
      from: { path: '^src/features/mcp/' },
      to: { path: '^src/platform/database/|node_modules/(pg|typeorm)/' },
    },
    {
      name: 'threads-load-little',
      comment: 'Each thread loads its modules again: no database, no HTTP server, no framework.',
      severity: 'error',
      from: {
        path: '^src/(platform/threads/|.+/(conversion|long-text|analysis|model)-thread\\.ts$)',
      },
      to: {
        path: '^src/(features/(auth|rate-limit)|platform/(database|http|openapi))/|node_modules/(@nestjs|express|pg|typeorm)/',
        reachable: true,
      },
    },
    {
      name: 'errors-know-no-http',
      severity: 'error',
      from: { path: '^src/platform/basics/' },
      to: { path: 'node_modules/express/' },
    },
    {
      name: 'no-typeorm-at-the-edge',
      severity: 'error',
      from: { path: '(controller|presenter|dto)\\.ts$' },
      to: { path: 'node_modules/(typeorm|@nestjs/typeorm|pg)/' },
    },
    {
      name: 'product-needs-no-tools',
      comment: 'The image installs only "dependencies".',
      severity: 'error',
      from: {
        path: '^(src|packages/(conversion|embedded-postgres|markdown|text-analysis|text-merge))/',
        pathNot: '\\.spec\\.ts$|^packages/text-analysis/scripts/',
      },
      to: { dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown'] },
    },
    {
      name: 'product-knows-no-test',
      severity: 'error',
      from: { path: '^(src|packages)/', pathNot: '\\.spec\\.ts$|/vite\\.config\\.mjs$' },
      to: { path: '^(test|bench|scripts)/' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    combinedDependencies: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      extensions: ['.ts', '.tsx', '.js', '.mjs', '.cjs', '.json'],
      conditionNames: ['document-service-source', 'import', 'require', 'node', 'default'],
    },
    exclude: { path: '^packages/[^/]+/(dist|coverage)/' },
  },
};
