// Starts an image built by buildah as api and as worker, with an embedded PostgreSQL, and creates a document. Usage, as
// root: node -C document-service-source --import @swc-node/register/esm-register scripts/try-image.ts TAG
import { execFileSync, spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedPostgres } from '@document-service/embedded-postgres/start-embedded-postgres';
import { proveRoles } from '../test/container/roles.js';

const [, , tag = 'document-service'] = process.argv;
// Stores and runs images without Docker, as ../shared/tools/build-image.sh does.
const env = { ...process.env, STORAGE_DRIVER: 'vfs', BUILDAH_ISOLATION: 'chroot' };
const buildah = (...words: string[]) => execFileSync('buildah', words, { env, encoding: 'utf8' });

/**
 * Returns the program that buildah runs. It is a descendant of buildah's own processes, and any of their threads may have
 * started it.
 */
function innermost(pid: number): number {
  const threads = `/proc/${String(pid)}/task`;
  const children = readdirSync(threads).flatMap((thread) =>
    readFileSync(`${threads}/${thread}/children`, 'utf8').split(' '),
  );
  const child = children.find((text) => text !== '');
  return child === undefined ? pid : innermost(Number(child));
}

const image = `localhost/${tag}`;
const { OCIv1 } = JSON.parse(buildah('inspect', '--type', 'image', image)) as {
  OCIv1: { config: { Cmd: string[] } };
};
const folder = await mkdtemp(join(tmpdir(), 'try-image-'));
const postgres = await startEmbeddedPostgres({ dataDir: folder, durable: false });
const containers: string[] = [];
try {
  await proveRoles({
    run: (command, variables) => {
      const container = buildah('from', '--pull-never', image).trim();
      containers.push(container);
      const settings = Object.entries(variables).flatMap(([name, value]) => [
        '--env',
        `${name}=${value}`,
      ]);
      return spawn(
        'buildah',
        ['run', '--network', 'host', ...settings, container, '--', ...command],
        {
          env,
        },
      );
    },
    command: OCIv1.config.Cmd,
    databaseUrl: postgres.url,
    report: (line) => {
      console.log(line);
    },
    // buildah kills the program itself.
    terminate: ({ pid = 0 }) => {
      process.kill(innermost(pid), 'SIGTERM');
    },
  });
} finally {
  if (containers.length > 0) buildah('rm', ...containers);
  await postgres.stop();
  await rm(folder, { recursive: true, force: true });
}
