import config from './jest.config.mjs';

/** Tests the dashboard in a real browser. A test has many steps, and each of them may wait. */
export default {
  ...config,
  testPathIgnorePatterns: [],
  testRegex: '\\.browser-spec\\.ts$',
  maxWorkers: 2,
  testTimeout: 300_000,
};
