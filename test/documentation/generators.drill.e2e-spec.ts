import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import ts from 'typescript';

const run = promisify(execFile);

/** A copy inside the repository, where tools find configuration and packages in parent folders. */
let copy: string;
beforeAll(() => {
  mkdirSync('.tmp', { recursive: true });
  copy = mkdtempSync(path.resolve('.tmp', 'generators-'));
  for (const name of [
    'src',
    // The generator adds the methods of a resource.
    'packages/client/src',
    'sdk-python/document_service/_client.py',
    '.prettierrc.json',
    '.editorconfig',
    // Contains declarations for packages without types.
    'packages/conversion/src',
    'packages/text-analysis/src',
    'nest-cli.json',
    'tsconfig.json',
    'tsconfig.build.json',
    'package.json',
  ]) {
    cpSync(name, path.join(copy, name), { recursive: true });
  }
  symlinkSync(path.resolve('node_modules'), path.join(copy, 'node_modules'));
});
afterAll(() => {
  rmSync(copy, { recursive: true });
});

const generate = (...words: string[]) =>
  run(process.execPath, ['node_modules/@nestjs/cli/bin/nest.js', 'generate', ...words], {
    cwd: copy,
  });
const generated = (file: string) => readFileSync(path.join(copy, 'src', file), 'utf8');

/** Returns the compiler errors in these files of the copy. The others are unchanged. */
function problemsIn(files: readonly string[]): string[] {
  const file = path.join(copy, 'tsconfig.build.json');
  const { config } = ts.readConfigFile(file, (name) => ts.sys.readFile(name)) as { config: object };
  const { fileNames, options } = ts.parseJsonConfigFileContent(config, ts.sys, copy);
  // Unused parameters are for the author to use.
  const program = ts.createProgram(fileNames, { ...options, noUnusedParameters: false });
  return files.flatMap((name) => {
    const source = program.getSourceFile(name);
    if (!source) return [`${name} is not compiled`];
    const found = [
      ...program.getSyntacticDiagnostics(source),
      ...program.getSemanticDiagnostics(source),
    ];
    return found.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, ' '));
  });
}

describe("Nest's generators", () => {
  it('create modules, controllers, services and resources that compile unchanged', async () => {
    for (const kind of ['module', 'controller', 'service']) {
      await generate(kind, 'features/widgets', '--no-spec');
    }
    await generate('resource', 'features/old-gadgets');
    expect(generated('app.module.ts')).toContain(`from './features/widgets/widgets.module.js'`);
    expect(generated('features/widgets/widgets.module.ts')).toContain(
      `from './widgets.service.js'`,
    );
    expect(generated('features/old-gadgets/old-gadgets.controller.ts')).toContain(
      `from './old-gadgets.service.js'`,
    );
    expect(generated('tables.ts')).toMatch(/\.\.\.OLD_GADGETS_TABLES,[^]* OldGadgets\d{13},/);
    expect(generated('features/auth/scopes.ts')).toContain(`'old-gadgets:read',`);
    const made = ['widgets', 'old-gadgets'].flatMap((name) =>
      ts.sys.readDirectory(path.join(copy, 'src/features', name), ['.ts']),
    );
    expect(made.length).toBeGreaterThanOrEqual(6);
    expect(problemsIn([path.join(copy, 'src/app.module.ts'), ...made])).toEqual([]);
  }, 300_000);
});
