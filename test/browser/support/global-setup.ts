import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import setUpServices from '../../support/global-setup.js';

/** Builds the dashboard as it is now, and what all tests need. */
export default async function setUp(options: { rootDir: string }): Promise<void> {
  await promisify(execFile)('npm', ['run', '--silent', 'build:dashboard'], {
    cwd: options.rootDir,
  });
  await setUpServices(options);
}
