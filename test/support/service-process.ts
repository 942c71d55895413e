import { spawn, type ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { request } from 'undici';
import { freePort } from '@document-service/embedded-postgres/free-port';
import { bundledProgram } from './compiled-program.js';

/** Rare enough to leave the processor to the starting service. */
const START_POLL_MS = 50;

export interface ServiceProcess {
  child: ChildProcess;
  origin: string;
  port: number;
  /** Everything it has written so far. */
  output(): string;
  /** Lines of the structured log. */
  log(): Record<string, unknown>[];
  /** Sends the signal and waits until the process ends. Returns the exit code, or the signal's name. */
  end(signal?: NodeJS.Signals): Promise<number | string | null>;
}

/** Starts `program`, by default the service, and waits until it is ready. If it ends first, throws its output. */
export async function startService(
  environment: Record<string, string>,
  program?: string,
): Promise<ServiceProcess> {
  const port = environment['PORT'] === undefined ? await freePort() : Number(environment['PORT']);
  const service = spawnService({ PORT: String(port), ...environment }, port, program);
  for (;;) {
    if (service.child.exitCode !== null) throw new Error(`The service ended: ${service.output()}`);
    const ready = await request(`${service.origin}/health/ready`).catch(() => undefined);
    await ready?.body.dump();
    if (ready?.statusCode === 200) return service;
    await pause(START_POLL_MS);
  }
}

/** Starts the real program without waiting for it. */
export function spawnService(
  environment: Record<string, string>,
  port = 0,
  program = bundledProgram('main'),
): ServiceProcess {
  const child = spawn(process.execPath, [program], {
    env: {
      ...process.env,
      DATABASE_URL: '',
      SECRETS_KEY: '',
      NODE_ENV: 'production',
      WARM_UP: 'false',
      EMBEDDED_DATABASE: environment['DATABASE_URL'] === undefined ? 'true' : '',
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const lines: string[] = [];
  for (const stream of [child.stdout, child.stderr]) {
    createInterface({ input: stream }).on('line', (line) => lines.push(line));
  }
  return {
    child,
    origin: `http://127.0.0.1:${String(port)}`,
    port,
    output: () => lines.join('\n'),
    log: () =>
      lines
        .filter((line) => line.startsWith('{'))
        .map((line) => JSON.parse(line) as Record<string, unknown>),
    end: async (signal = 'SIGTERM') => {
      if (child.exitCode === null && child.signalCode === null) {
        const exited = once(child, 'exit');
        child.kill(signal);
        await exited;
      }
      return child.exitCode ?? child.signalCode;
    },
  };
}
