import config from './jest.config.mjs';

/** The tests that start and kill real processes, and those that take long; they take longer than all others together. */
export default {
  ...config,
  testPathIgnorePatterns: [],
  testRegex: '\\.(process|long)\\.(spec|e2e-spec)\\.ts$',
  setupFilesAfterEnv: ['<rootDir>/test/support/try-once-more.ts'],
};
