/**
 * A jest transformer. A test that imports the module gets it from Node (see `service-environment.cjs`). Jest also loads
 * its own runner through transformers, without an environment; that code runs unchanged.
 */
const CODE = `
if (globalThis.nativeModule) module.exports = globalThis.nativeModule(__filename);
else module._compile(require('node:fs').readFileSync(__filename, 'utf8'), __filename);
`;

module.exports = {
  process: () => ({ code: CODE }),
  getCacheKey: () => 'native-module-2',
};
