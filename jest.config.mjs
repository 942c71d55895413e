import { join } from 'node:path';
import './scripts/require-node.mjs';

// Compiles test files and their support files to CommonJS, which jest runs.
const swc = [
  '@swc/jest',
  {
    swcrc: false,
    jsc: {
      target: 'es2022',
      parser: { syntax: 'typescript', decorators: true, dynamicImport: true },
      transform: { legacyDecorator: true, decoratorMetadata: true },
      keepClassNames: true,
    },
    module: { type: 'commonjs' },
    sourceMaps: 'inline',
  },
];

/** The service and the packages run outside jest's context. See docs/contribute/test.md. */
const native = '<rootDir>/test/support/native-module.cjs';
const root = import.meta.dirname.replace(/[.+()[\]{}^$|?*]/g, '\\$&');
/** The client and the dashboard also run in a browser. Tests compile them. */
const sources = join(root, '(src|packages/(?!client/|dashboard/)[^/]+/src)');

export default {
  testEnvironment: '<rootDir>/test/support/service-environment.cjs',
  testRunner: '<rootDir>/test/support/test-runner.cjs',
  rootDir: '.',
  testEnvironmentOptions: {
    // Tests use the sources of this repository's packages.
    customExportConditions: ['document-service-source', 'node', 'node-addons'],
  },
  roots: ['<rootDir>/src', '<rootDir>/packages', '<rootDir>/test'],
  globalSetup: '<rootDir>/test/support/global-setup.ts',
  globalTeardown: '<rootDir>/test/support/global-teardown.ts',
  setupFilesAfterEnv: ['<rootDir>/test/support/try-once-more.ts'],
  testRegex: '\\.(spec|e2e-spec)\\.ts$',
  // These have their own configuration.
  testPathIgnorePatterns: ['/node_modules/', '\\.(process|drill)\\.(spec|e2e-spec)\\.ts$'],
  transform: {
    // The first matching pattern applies.
    '/node_modules/': native,
    [`^${sources}/(?!.*\\.spec\\.ts$).*\\.ts$`]: native,
    '^.+\\.(t|j|mj)s$': swc,
  },
  transformIgnorePatterns: [],
  moduleNameMapper: {
    '^(\\.{1,2}/.*)\\.js$': '$1',
    // Their only entry point is for `import`.
    '^eld/extrasmall$': '<rootDir>/node_modules/eld/src/entries/static.extrasmall.js',
    '^harper\\.js$': '<rootDir>/node_modules/harper.js/dist/index.js',
    '^harper\\.js/slimBinary$': '<rootDir>/node_modules/harper.js/dist/slimBinary.js',
    '^cspell-trie-lib$': '<rootDir>/node_modules/cspell-trie-lib/dist/index.js',
  },
  // Node itself uses these.
  fakeTimers: { doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask'] },
  reporters: ['default', '<rootDir>/test/support/slowest-files.cjs'],
  maxWorkers: 2,
  // Checked between files.
  workerIdleMemoryLimit: '1GB',
  // A slow machine must not fail a test, but a test that hangs must still fail.
  testTimeout: 120_000,
};
