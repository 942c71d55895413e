import { spawn, type ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { TestServer } from './postgres-server.js';

declare global {
  /** Runs PostgreSQL for the tests; its input is closed when they are done. */
  var testServerProcess: ChildProcess | undefined;
}

/** Starts one PostgreSQL for the whole run and tells the workers where it is. */
export default async function startTestServer({ rootDir }: { rootDir: string }): Promise<void> {
  const child = spawn(
    process.execPath,
    ['--import', '@swc-node/register/esm-register', 'test/support/postgres-server.ts'],
    // A process group of its own: at Ctrl-C it outlives the tests, and then tidies up.
    { cwd: rootDir, stdio: ['pipe', 'pipe', 'inherit'], detached: true },
  );
  globalThis.testServerProcess = child;
  for await (const line of createInterface({ input: child.stdout })) {
    const { url, template } = JSON.parse(line) as TestServer;
    process.env['TEST_DATABASE_URL'] = url;
    process.env['TEST_DATABASE_TEMPLATE'] = template;
    return;
  }
  throw new Error('PostgreSQL for the tests did not start; the reason is written above.');
}
