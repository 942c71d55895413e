import config from './jest.config.mjs';

/** The dashboard in a real browser. One file at a time: a browser uses both processors. */
export default {
  ...config,
  testPathIgnorePatterns: [],
  testRegex: '\\.browser-spec\\.ts$',
  maxWorkers: 2,
  testTimeout: 90_000,
};
