import config from './jest.config.mjs';

const isFull = process.env['DRILLS'] === 'full';

/** Installs seven code generators. The small run uses openapi-typescript's client instead. */
const FULL_ONLY = ['/test/openapi/generators/'];

/** Random kills, clock steps, outages, stress and generators. `DRILLS=full` runs the full counts. */
export default {
  ...config,
  testPathIgnorePatterns: ['/node_modules/', ...(isFull ? [] : FULL_ONLY)],
  testRegex: '\\.drill\\.(spec|e2e-spec)\\.ts$',
  // For global-setup: makes the programs of these tests start in half the time.
  globals: { bundlePrograms: true },
};
