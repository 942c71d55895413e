import config from './jest.config.mjs';

/** Tests that start real processes: the service in each role, and the command line. */
export default {
  ...config,
  testPathIgnorePatterns: ['/node_modules/'],
  testRegex: '\\.process\\.(spec|e2e-spec)\\.ts$',
  // For global-setup: makes the programs of these tests start in half the time.
  globals: { bundlePrograms: true },
};
