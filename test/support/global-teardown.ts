import { once } from 'node:events';
import { rm } from 'node:fs/promises';

/** Removes the compiled service, stops the PostgreSQL of the run and waits until its folder is gone. */
export default async function tearDown(): Promise<void> {
  const compiled = process.env['TEST_SERVICE_FOLDER'];
  if (compiled !== undefined) await rm(compiled, { recursive: true });
  const child = globalThis.testServerProcess;
  if (child?.exitCode !== null) return;
  child.stdin?.end();
  await once(child, 'exit');
}
