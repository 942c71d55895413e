import { isNativeError } from 'node:util/types';

/** Means that the embedded PostgreSQL cannot be used. The message is one sentence that tells the operator what to do. */
export class EmbeddedPostgresError extends Error {
  override readonly name = 'EmbeddedPostgresError';
}

const PERMISSION =
  'run the service as the user who owns that folder, or set DATA_DIR to one that this user can write to';

/** Remedies by the message of the operating system, initdb or the server. */
const REMEDIES: readonly [RegExp, string][] = [
  [/ENOSPC|No space left|wrote only/i, 'free some disk space and start again'],
  // Node reports ENOENT for a folder on a read-only file system.
  [/EROFS|Read-only file system|ENOENT.*mkdir/i, 'set DATA_DIR to a writable folder'],
  [/ENOTDIR|EEXIST/, 'set DATA_DIR to a folder, not to a file or a path below a file'],
  [/EACCES|EPERM|Permission denied|not permitted|ownership/i, PERMISSION],
  [
    /could not look up effective user/i,
    'PostgreSQL requires a named user, so add this user id to /etc/passwd, or set DATABASE_URL to a PostgreSQL server',
  ],
  [
    /error while loading shared libraries|spawn.*ENOENT|cannot execute/i,
    'its programs require Linux with glibc, so set DATABASE_URL to a PostgreSQL server instead',
  ],
];
const DEFAULT_REMEDY = 'set DATA_DIR to another folder or DATABASE_URL to a PostgreSQL server';

/** Returns the error for a failed start in `dataDir`. Errors of this class pass unchanged. */
export function startFailure(dataDir: string, cause: unknown): EmbeddedPostgresError {
  if (cause instanceof EmbeddedPostgresError) return cause;
  const reason = reasonOf(cause);
  const remedy = REMEDIES.find(([pattern]) => pattern.test(reason))?.[1] ?? DEFAULT_REMEDY;
  return new EmbeddedPostgresError(
    `The embedded PostgreSQL did not start in ${dataDir} (${reason}): ${remedy}.`,
    { cause },
  );
}

/** Returns the first line of an error's message without its full stop, or its code. */
function reasonOf(error: unknown): string {
  if (!isNativeError(error)) return String(error);
  const { code = error.name } = error as { code?: unknown };
  const [line = ''] = error.message.split('\n');
  return line.replace(/\.$/, '') || String(code);
}
