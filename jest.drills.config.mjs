import config from './jest.config.mjs';

/** Random kills, wrong clocks, outages, stress and generated clients. `DRILLS=full` runs the full counts. */
export default {
  ...config,
  testPathIgnorePatterns: ['/node_modules/'],
  testRegex: '\\.drill\\.(spec|e2e-spec)\\.ts$',
  // For global-setup: makes the programs of these tests start in half the time.
  globals: { bundlePrograms: true },
};
