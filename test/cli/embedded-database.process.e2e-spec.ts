import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { request } from 'undici';
import { startService } from '../support/service-process.js';
import { printed, runCli } from './run-cli.js';

let dataDir: string;
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'document-service-cli-'));
});
afterEach(() => rm(dataDir, { recursive: true, force: true }));

const createKey = async (email: string) =>
  printed(await runCli({ DATA_DIR: dataDir }, 'keys', 'create', '--email', email, '--json')) as {
    key: string;
    keyId: string;
  };

describe('the command line on the embedded database', () => {
  it('works before the first start, beside the running service and after it', async () => {
    const before = await createKey('before@example.com');
    const service = await startService({ DATA_DIR: dataDir });
    const statusWith = async (key: string) => {
      const headers = { authorization: `Bearer ${key}` };
      const { statusCode, body } = await request(`${service.origin}/v1/documents`, { headers });
      await body.dump();
      return statusCode;
    };
    try {
      expect(await statusWith(before.key)).toBe(200);
      const beside = await createKey('beside@example.com');
      expect(await statusWith(beside.key)).toBe(200);
      await runCli({ DATA_DIR: dataDir }, 'keys', 'revoke', before.keyId);
      expect(await statusWith(before.key)).toBe(401);
    } finally {
      await service.end();
    }
    const after = await createKey('after@example.com');
    const listed = printed(await runCli({ DATA_DIR: dataDir }, 'keys', 'list', '--json')) as {
      id: string;
    }[];
    expect(listed.map(({ id }) => id)).toContain(after.keyId);
    expect(listed).toHaveLength(3);
  });
});
