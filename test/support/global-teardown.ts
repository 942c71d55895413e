import { once } from 'node:events';
import { rm } from 'node:fs/promises';

/** Removes the compiled service, stops PostgreSQL, and waits until its folder is removed. */
export default async function tearDown(): Promise<void> {
  for (const name of ['TEST_SERVICE_FOLDER', 'TEST_BUNDLED_FOLDER']) {
    const folder = process.env[name];
    if (folder !== undefined) await rm(folder, { recursive: true, force: true });
  }
  const child = globalThis.testServerProcess;
  if (child?.exitCode !== null) return;
  child.stdin?.end();
  await once(child, 'exit');
}
