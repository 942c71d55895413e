import config from './jest.config.mjs';

/** The tests that start, kill and measure real processes; they take as long as all others together. */
export default { ...config, testPathIgnorePatterns: [], testRegex: '\\.process\\.e2e-spec\\.ts$' };
