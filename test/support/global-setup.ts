import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { mkdir, mkdtemp } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import type { TestServer } from './postgres-server.js';

declare global {
  /** Runs PostgreSQL for the tests. Closing its input stops it. */
  var testServerProcess: ChildProcess | undefined;
}

/**
 * Runs once per test run: compiles the service, bundles its programs if the suite needs that, starts PostgreSQL, and
 * tells the workers where they are.
 */
export default async function setUp(
  { rootDir }: { rootDir: string },
  { globals }: { globals: { bundlePrograms?: boolean } },
): Promise<void> {
  const compiling = compileService();
  const child = spawn(
    process.execPath,
    [
      '--conditions=document-service-source',
      '--import',
      '@swc-node/register/esm-register',
      'test/support/postgres-server.ts',
    ],
    // A separate process group, so that it outlives the tests on Ctrl-C and can clean up.
    { cwd: rootDir, stdio: ['pipe', 'pipe', 'inherit'], detached: true },
  );
  globalThis.testServerProcess = child;
  for await (const line of createInterface({ input: child.stdout })) {
    const { url, template } = JSON.parse(line) as TestServer;
    process.env['TEST_DATABASE_URL'] = url;
    process.env['TEST_DATABASE_TEMPLATE'] = template;
    const folder = await compiling;
    process.env['TEST_SERVICE_FOLDER'] = folder;
    if (globals.bundlePrograms) process.env['TEST_BUNDLED_FOLDER'] = await bundlePrograms(folder);
    return;
  }
  throw new Error('PostgreSQL for the tests did not start; the reason is written above.');
}

/** Compiles the current sources into a folder in the project, where they can find their packages. Returns its path. */
async function compileService(): Promise<string> {
  await promisify(execFile)(process.execPath, ['scripts/build-when-stale.mjs', 'packages']);
  await mkdir('.tmp', { recursive: true });
  const folder = await mkdtemp('.tmp/service-');
  const options = [
    '-d',
    folder,
    '--strip-leading-paths',
    '--copy-files',
    '--config-file',
    '.swcrc',
  ];
  await promisify(execFile)(process.execPath, [
    'node_modules/@swc/cli/bin/swc.js',
    'src',
    ...options,
  ]);
  return folder;
}

/** Bundles the compiled programs into a sibling folder. Returns its path. */
async function bundlePrograms(compiled: string): Promise<string> {
  const folder = `${compiled}-bundled`;
  const words = ['test/support/bundle-program.mjs', compiled, folder];
  await promisify(execFile)(process.execPath, words);
  return folder;
}
