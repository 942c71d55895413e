import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

const [program = '', ...programArguments] = healthCheckCommand();

describe("the image's health check", () => {
  it('passes while the process responds on PORT, whatever the database does', async () => {
    const server = await responding((path) => (path === '/health/live' ? 200 : 503));
    expect(await exitCode(server)).toBe(0);
  });

  it('fails for a process that responds with an error', async () => {
    expect(await exitCode(await responding(() => 500))).toBe(1);
  });

  it('fails for a process that accepts connections and never responds', async () => {
    expect(await exitCode(await responding(() => undefined))).toBe(1);
  });

  it('fails when nothing listens', async () => {
    const server = await responding(() => 200);
    const { port } = server.address() as AddressInfo;
    server.close();
    await once(server, 'close');
    expect(await runOn(port)).toBe(1);
  });
});

/** Returns the words of `HEALTHCHECK … CMD [...]` in the Dockerfile. */
function healthCheckCommand(): string[] {
  const [, words = '[]'] =
    /^HEALTHCHECK [^[]*CMD (\[.*\])$/m.exec(
      readFileSync('Dockerfile', 'utf8').replace(/\\\n/g, ''),
    ) ?? [];
  return JSON.parse(words) as string[];
}

async function responding(status: (path: string) => number | undefined): Promise<Server> {
  const server = createServer((request, response) => {
    const code = status(request.url ?? '');
    if (code !== undefined) response.writeHead(code).end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

async function exitCode(server: Server): Promise<number> {
  const code = await runOn((server.address() as AddressInfo).port);
  server.close();
  server.closeAllConnections();
  return code;
}

function runOn(port: number): Promise<number> {
  return new Promise((resolve) => {
    const env = { PATH: process.env['PATH'], PORT: String(port) };
    execFile(program, programArguments, { env }, (error) => {
      resolve(error === null ? 0 : Number(error.code));
    });
  });
}
