import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { freePort } from '@document-service/embedded-postgres/free-port';
import { describeWith } from '../support/describe-with.js';

export const redisIsInstalled = spawnSync('redis-server', ['--version']).error === undefined;

/** `describe` if the program redis-server is installed; otherwise one skipped test that says so. */
export function describeWithRedis(title: string, tests: () => void): void {
  describeWith('the program redis-server', redisIsInstalled, title, tests);
}

/** A redis-server for one test, on a free port of this machine. Keeps data in memory unless a folder is given. */
export class RedisServer {
  private process: ChildProcess | undefined;

  private constructor(
    private readonly port: number,
    private readonly dataDir: string | undefined,
  ) {}

  /** Returns a server that is not running yet. */
  static async prepare(dataDir?: string): Promise<RedisServer> {
    return new RedisServer(await freePort(), dataDir);
  }

  static async start(): Promise<RedisServer> {
    const server = await RedisServer.prepare();
    await server.start();
    return server;
  }

  get url(): string {
    return `redis://127.0.0.1:${String(this.port)}`;
  }

  /** Resolves when it accepts connections. */
  async start(): Promise<void> {
    const options = [
      '--port',
      String(this.port),
      '--bind',
      '127.0.0.1',
      '--save',
      '',
      '--appendonly',
      ...(this.dataDir === undefined ? ['no'] : ['yes', '--dir', this.dataDir]),
    ];
    const started = spawn('redis-server', options, { stdio: ['ignore', 'pipe', 'ignore'] });
    this.process = started;
    await new Promise<void>((resolve, reject) => {
      started.once('exit', (code) => {
        reject(new Error(`redis-server ended with ${String(code)} before it was ready.`));
      });
      started.stdout.on('data', (chunk: Buffer) => {
        if (chunk.toString().includes('Ready to accept connections')) resolve();
      });
    });
  }

  /** Suspends the process, so connections stay open without responses. */
  pause(): void {
    this.process?.kill('SIGSTOP');
  }

  resume(): void {
    this.process?.kill('SIGCONT');
  }

  async kill(): Promise<void> {
    const running = this.process;
    this.process = undefined;
    if (running === undefined) return;
    const exited = once(running, 'exit');
    running.kill('SIGKILL');
    await exited;
  }
}
