/** A program of the service as global-setup compiled it: started from sources it would compile itself each time. */
export function compiledProgram(name: 'main' | 'cli'): string {
  return compiledFile(`${name}.js`);
}

/** A file of the compiled service; `path` is below its root. */
export function compiledFile(path: string): string {
  return `${process.env['TEST_SERVICE_FOLDER'] ?? ''}/${path}`;
}
