import { isNativeError } from 'node:util/types';

/** The embedded PostgreSQL cannot be used; the message is one sentence for the operator that says what to do. */
export class EmbeddedPostgresError extends Error {
  override readonly name = 'EmbeddedPostgresError';
}

const PERMISSION =
  'run the service as the user who owns that folder, or set DATA_DIR to one that this user may write';

/** What to do about a failure, by what the operating system, initdb or the server wrote about it. */
const REMEDIES: readonly [RegExp, string][] = [
  [/ENOSPC|No space left|wrote only/i, 'free some space on that disk and start again'],
  // Node reports a folder it cannot make on a read-only file system as ENOENT.
  [/EROFS|Read-only file system|ENOENT.*mkdir/i, 'set DATA_DIR to a folder that can be written'],
  [/ENOTDIR|EEXIST/, 'set DATA_DIR to a folder, not to a file or to something below a file'],
  [/EACCES|EPERM|Permission denied|not permitted|ownership/i, PERMISSION],
  [
    /could not look up effective user/i,
    'PostgreSQL needs a user with a name, so add this user id to /etc/passwd, or set DATABASE_URL to a PostgreSQL server',
  ],
  [
    /error while loading shared libraries|spawn.*ENOENT|cannot execute/i,
    'its programs need a Linux with glibc, so set DATABASE_URL to a PostgreSQL server instead',
  ],
];
const LAST_RESORT = 'set DATA_DIR to another folder or DATABASE_URL to a PostgreSQL server';

/** The sentence for whatever stopped a start in `dataDir`; errors that have their sentence already pass through. */
export function startFailure(dataDir: string, cause: unknown): EmbeddedPostgresError {
  if (cause instanceof EmbeddedPostgresError) return cause;
  const reason = reasonOf(cause);
  const remedy = REMEDIES.find(([pattern]) => pattern.test(reason))?.[1] ?? LAST_RESORT;
  return new EmbeddedPostgresError(
    `The embedded PostgreSQL did not start in ${dataDir} (${reason}): ${remedy}.`,
    { cause },
  );
}

/** Returns the first line of an error's message without its full stop, or the error's code if it has no message. */
function reasonOf(error: unknown): string {
  if (!isNativeError(error)) return String(error);
  const { code = error.name } = error as { code?: unknown };
  const [line = ''] = error.message.split('\n');
  return line.replace(/\.$/, '') || String(code);
}
