const { join, relative, resolve, sep } = require('node:path');
const { TestEnvironment } = require('jest-environment-node');
const { runAsAdmin } = require('./admin-connection.cjs');

/** Also fakes `Date`, because the service checks `instanceof Date` on the test clock's times. */
const FAKED = [
  'Date',
  'performance',
  'setTimeout',
  'clearTimeout',
  'setInterval',
  'clearInterval',
  'setImmediate',
  'clearImmediate',
];

/**
 * Runs test files in jest's context, and everything they test outside it. `native-module.cjs` turns each import of the
 * service and of a package into a call of `nativeModule`. Node loads those modules once per worker, compiled, instead of
 * once per test file.
 *
 * The file must be named `.cjs`: jest compiles an `.mjs` environment to CommonJS.
 */
module.exports = class ServiceEnvironment extends TestEnvironment {
  constructor(config, context) {
    super(config, context);
    // Makes errors from tests `instanceof Error` for the service.
    Object.setPrototypeOf(this.global.Error.prototype, Error.prototype);
    // Makes decorators in tests store metadata where the packages look for it.
    this.global.Reflect = Reflect;
    // Passes variables that a test sets to the service. By default, jest gives tests a copy.
    this.global.process.env = process.env;
    const { rootDir } = config.projectConfig;
    this.global.nativeModule = (file) => require(compiledFile(rootDir, file));
    this.global.runAsAdmin = runAsAdmin;
    this.shareTimers(config.projectConfig);
    this.variables = { ...process.env };
  }

  /** Restores what the next file of this worker shares: spies and environment variables. */
  async teardown() {
    this.moduleMocker?.restoreAllMocks();
    for (const name of Object.keys(process.env)) {
      if (!(name in this.variables)) Reflect.deleteProperty(process.env, name);
    }
    Object.assign(process.env, this.variables);
    await super.teardown();
  }

  /** Makes `jest.useFakeTimers()` also fake the timers and times of the service. */
  shareTimers(config) {
    for (const name of FAKED) {
      Object.defineProperty(this.global, name, {
        configurable: true,
        get: () => globalThis[name],
      });
    }
    const FakeTimers = this.fakeTimersModern.constructor;
    this.fakeTimersModern = new FakeTimers({ config, global: globalThis });
  }
};

/**
 * Returns the compiled file of a source: for `src`, where global-setup compiled it; for a package, in its `dist`. Returns
 * other files unchanged.
 */
function compiledFile(rootDir, file) {
  const [folder, name, part, ...rest] = relative(rootDir, file).split(sep);
  const compiled = (path) => path.replace(/\.ts$/, '.js');
  if (folder === 'src') {
    return resolve(process.env.TEST_SERVICE_FOLDER, compiled(join(name, part ?? '', ...rest)));
  }
  if (folder === 'packages' && part === 'src') {
    return join(rootDir, folder, name, 'dist', compiled(join(...rest)));
  }
  return file;
}
