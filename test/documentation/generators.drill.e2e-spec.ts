import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** A copy inside the repository, where tools find configuration and packages in parent folders. */
let copy: string;
beforeAll(() => {
  mkdirSync('.tmp', { recursive: true });
  copy = mkdtempSync(path.resolve('.tmp', 'generators-'));
  for (const name of [
    'src',
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

describe("Nest's generators", () => {
  it('create modules, controllers, services and resources that compile unchanged', async () => {
    for (const kind of ['module', 'controller', 'service']) {
      await generate(kind, 'features/widgets', '--no-spec');
    }
    await generate(
      'resource',
      'features/gadgets',
      '--type',
      'rest',
      '--crud',
      'false',
      '--no-spec',
    );
    expect(generated('app.module.ts')).toContain(`from './features/widgets/widgets.module.js'`);
    expect(generated('features/widgets/widgets.module.ts')).toContain(
      `from './widgets.service.js'`,
    );
    expect(generated('features/gadgets/gadgets.controller.ts')).toContain(
      `from './gadgets.service.js'`,
    );
    // Unused parameters are for the author to use.
    const compiler = [
      'node_modules/typescript/bin/tsc',
      '--noEmit',
      '--project',
      'tsconfig.build.json',
    ];
    await run(process.execPath, [...compiler, '--noUnusedParameters', 'false'], { cwd: copy });
  }, 300_000);
});
