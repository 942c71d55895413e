import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { inheritedEnvironment, PROJECT_FOLDER } from '../node-process.js';

const run = promisify(execFile);

/** Output of `keys create --json`. */
export interface CreatedKey {
  key: string;
  keyId: string;
  accountId: string;
  userId: string;
}

/** Runs `npm run -s cli -- <args>` with this environment. Returns its output, or throws its error message. */
export async function runCli(args: string[], env: Record<string, string>): Promise<string> {
  try {
    const { stdout } = await run('npm', ['run', '-s', 'cli', '--', ...args], {
      cwd: PROJECT_FOLDER,
      env: { ...inheritedEnvironment(), ...env },
    });
    return stdout;
  } catch (reason) {
    const { stderr = '', stdout = '' } = reason as { stderr?: string; stdout?: string };
    throw new Error(`\`npm run -s cli -- ${args.join(' ')}\` failed:\n${stderr || stdout}`, {
      cause: reason,
    });
  }
}

/** Creates a key with every scope for a new Enterprise account. */
export async function createKey(env: Record<string, string>): Promise<CreatedKey> {
  const person = ['--email', 'bench@example.com', '--name', 'Bench'];
  const rights = ['--plan', 'enterprise', '--scopes', '*'];
  const output = await runCli(['keys', 'create', ...person, ...rights, '--json'], env);
  return JSON.parse(output) as CreatedKey;
}
