import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { TypeID } from 'typeid-js';
import { fillService } from '../fill.js';
import { NodeProcess } from '../node-process.js';
import type { Lever } from '../options.js';
import type { Participant } from '../participant.js';
import { createKey, runCli } from './cli.js';

/** Too high to reach, so every request is really counted. */
export const MINUTE_LIMIT = 100_000_000;
const LIMITS = ['--minute', String(MINUTE_LIMIT), '--hour', '1000000000', '--day', '1000000000'];

export interface ServiceOptions {
  databaseUrl: string;
  /** Number of documents in the account. */
  documents: number;
  logFolder: string;
  env: Record<string, string>;
  /** Each gets a separate process on the same database. */
  levers: Lever[];
}

/** Migrates the database, creates and fills an Enterprise account, and starts the built service. */
export async function startServices(options: ServiceOptions): Promise<Participant[]> {
  const { databaseUrl, documents, logFolder, levers } = options;
  const env = {
    NODE_ENV: 'production',
    PROCESS_ROLE: 'api',
    DATABASE_URL: databaseUrl,
    SECRETS_KEY: randomBytes(32).toString('base64'),
    HOST: '127.0.0.1',
    LOG_LEVEL: 'info',
    ...options.env,
  };
  await runCli(['migrate'], env);
  const { key, accountId, userId } = await createKey(env);
  await runCli(['accounts', 'plan', accountId, 'enterprise', ...LIMITS], env);
  const owner = { accountId: toUuid(accountId), userId: toUuid(userId) };
  await fillService(databaseUrl, [{ owner, count: documents }]);

  const participants: Participant[] = [];
  for (const lever of [{ label: 'service', env: {} }, ...levers]) {
    const server = await NodeProcess.start({
      args: ['dist/main.js'],
      env: { ...env, ...lever.env },
      logFile: path.join(logFolder, `service-${String(participants.length)}.log`),
    });
    participants.push({ label: lever.label, key, server });
  }
  return participants;
}

function toUuid(id: string): string {
  return TypeID.fromString(id).toUUID();
}
