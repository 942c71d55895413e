/** A program of the service as global-setup compiled it: started from sources it would compile itself each time. */
export function compiledProgram(name: 'main' | 'cli'): string {
  return `${process.env['TEST_SERVICE_FOLDER'] ?? ''}/${name}.js`;
}
