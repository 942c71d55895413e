import config from './jest.config.mjs';

/** The dashboard in a real browser. A test is a walk of many steps, each of which may wait. */
export default {
  ...config,
  testPathIgnorePatterns: [],
  testRegex: '\\.browser-spec\\.ts$',
  maxWorkers: 2,
  testTimeout: 300_000,
  setupFilesAfterEnv: ['<rootDir>/test/support/try-once-more.ts'],
};
