/** A program of the service as global-setup compiled it. Running it from source would compile it each time. */
export function compiledProgram(name: 'main' | 'cli'): string {
  return compiledFile(`${name}.js`);
}

/** A file of the compiled service. `path` is relative to its root. */
export function compiledFile(path: string): string {
  return `${process.env['TEST_SERVICE_FOLDER'] ?? ''}/${path}`;
}

/** The same program bundled with its packages into a few files (`bundle-program.mjs`), if it has been bundled. */
export function bundledProgram(name: 'main' | 'cli'): string {
  return bundledFile(`${name}.js`);
}

/** A file of the bundled service, or of the compiled one. `path` is relative to its root. */
export function bundledFile(path: string): string {
  const folder = process.env['TEST_BUNDLED_FOLDER'];
  return folder === undefined ? compiledFile(path) : `${folder}/${path}`;
}
