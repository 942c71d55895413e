import { once } from 'node:events';

/** Stops the PostgreSQL of the run and waits until its folder is gone. */
export default async function stopTestServer(): Promise<void> {
  const child = globalThis.testServerProcess;
  if (child?.exitCode !== null) return;
  child.stdin?.end();
  await once(child, 'exit');
}
