/** How threads are told to run a module. */
export interface ThreadProgram {
  entry: URL;
  execArgv: string[];
}

const SOURCE_LOADER = ['--import', '@swc-node/register/esm-register'];

/**
 * The module `name` beside the module at `base`, which is its `import.meta.url`. Threads run what this process runs: the
 * compiled module, or the source in tests and scripts.
 */
export function threadProgram(base: string, name: string): ThreadProgram {
  const fromSource = base.endsWith('.ts');
  return {
    entry: new URL(`./${name}.${fromSource ? 'ts' : 'js'}`, base),
    execArgv: fromSource ? SOURCE_LOADER : [],
  };
}
