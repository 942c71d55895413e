import { randomBytes } from 'node:crypto';
import { rm, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { createDataFolder } from '@document-service/embedded-postgres/data-folder';
import { prepareCluster, SERVICE_NAME } from '@document-service/embedded-postgres/cluster';
import { freePort } from '@document-service/embedded-postgres/free-port';
import { programsFor } from '@document-service/embedded-postgres/programs';
import {
  launchServer,
  serverArguments,
  stopServer,
} from '@document-service/embedded-postgres/server-process';
import { serverUser } from '@document-service/embedded-postgres/server-user';

// Runs a separate PostgreSQL. The line `start` starts it, and `stop` stops it as in a fast restart. Prints one line in
// response to each. Exits when its input ends.
const dataDir = join(await mkdtemp(join(tmpdir(), 'restartable-')), randomBytes(4).toString('hex'));
await createDataFolder(dataDir);
const folder = join(dataDir, 'postgres');
const user = await serverUser(folder);
const cluster = { folder, user, programs: await programsFor(user) };
const password = await prepareCluster(cluster, false);
const port = await freePort();

process.stdout.write(
  `postgres://${SERVICE_NAME}:${password}@127.0.0.1:${String(port)}/${SERVICE_NAME}\n`,
);
for await (const command of createInterface({ input: process.stdin })) {
  if (command === 'start') {
    await launchServer(cluster, serverArguments(port, false), () => undefined);
  } else await stopServer(cluster);
  process.stdout.write(`${command}\n`);
}
await stopServer(cluster);
await rm(join(dataDir, '..'), { recursive: true, force: true });
process.exit();
