const { createRequire } = require('node:module');
const { default: runInCircus } = require('jest-circus/runner');

/**
 * Parts of jest that work the same outside a test's context. Loading them for each file takes longer than running a small
 * file.
 */
const SHARED = new Set([
  '@jest/test-result',
  'jest-each',
  'jest-message-util',
  'jest-mock',
  'jest-snapshot',
  'jest-util',
  'pretty-format',
]);

/** Jest's own runner. It gets those parts from Node once per worker, not once per test file. */
module.exports = function runTestFile(globalConfig, config, environment, runtime, ...rest) {
  const requireInContext = runtime.requireInternalModule.bind(runtime);
  runtime.requireInternalModule = (from, name) =>
    SHARED.has(name) ? createRequire(from)(name) : requireInContext(from, name);
  return runInCircus(globalConfig, config, environment, runtime, ...rest);
};
