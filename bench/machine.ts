import { execFileSync } from 'node:child_process';
import os from 'node:os';
import { PROJECT_FOLDER } from './node-process.js';

/** What a reader needs in order to judge the figures. */
export interface MachineFacts {
  date: string;
  processor: string;
  cores: number;
  /** Load average of the last minute. */
  load: number;
  /** GB */
  memory: number;
  node: string;
  postgres: string;
  /** Short hash, with `+changes` if the working tree differs from it. */
  commit: string;
}

export function describeMachine(postgresVersion: string): MachineFacts {
  return {
    date: new Date().toISOString(),
    processor: os.cpus()[0]?.model ?? 'unknown',
    cores: os.cpus().length,
    load: os.loadavg()[0] ?? NaN,
    memory: Math.round(os.totalmem() / 2 ** 30),
    node: process.version,
    postgres: postgresVersion,
    commit: describeCommit(),
  };
}

function describeCommit(): string {
  const git = (...args: string[]): string =>
    execFileSync('git', args, {
      cwd: PROJECT_FOLDER,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim();
  try {
    const changes = git('status', '--porcelain') === '' ? '' : '+changes';
    return git('rev-parse', '--short', 'HEAD') + changes;
  } catch {
    return 'none';
  }
}
