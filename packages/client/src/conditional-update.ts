import { Call, type ApiResponse } from './call.js';
import { ConflictError } from './errors.js';
import { pause, type RequestOptions } from './transport.js';

/** A change, or a function that returns a change of the stored record, or `undefined` to change nothing. */
export type Change<Stored, Patch> =
  Patch | ((stored: Stored) => Patch | undefined | Promise<Patch | undefined>);

export interface UpdateOptions extends RequestOptions {
  /**
   * Maximum number of retries after a conflict. Each retry reads the record again and applies the change to it. `true`
   * means 10. Defaults to true for a function and false for an object.
   */
  retryOnConflict?: boolean | number | undefined;
}

interface Operations<Stored, Patch> {
  read: (options: RequestOptions) => Call<Stored>;
  write: (patch: Patch, options: RequestOptions) => Call<Stored>;
}

const CONFLICTS = 10;
const MAX_DELAY_MS = 100;

/** Writes a change if the record still has the version that the change is based on. */
export function updateWith<Stored extends { version: number }, Patch extends object>(
  operations: Operations<Stored, Patch>,
  change: Change<Stored, Patch>,
  options: UpdateOptions,
): Call<Stored> {
  return new Call(updated(operations, change, options));
}

async function updated<Stored extends { version: number }, Patch extends object>(
  operations: Operations<Stored, Patch>,
  change: Change<Stored, Patch>,
  { retryOnConflict = typeof change === 'function', ifMatch, ...options }: UpdateOptions,
): Promise<ApiResponse<Stored>> {
  const read = () => operations.read(options).withResponse();
  let seen = typeof change === 'function' ? await read() : undefined;
  let base = ifMatch ?? seen?.data.version;
  for (let left = retryOnConflict === true ? CONFLICTS : Number(retryOnConflict); ; left -= 1) {
    const patch = typeof change === 'function' ? await change(requireSeen(seen).data) : change;
    if (patch === undefined) return requireSeen(seen);
    const written = operations.write(patch, { ...options, ifMatch: base }).withResponse();
    const outcome = await written.catch(conflictIn);
    if (!(outcome instanceof ConflictError)) return outcome;
    if (left <= 0 && !outcome.uncertain) throw outcome;
    seen = await read();
    // The conflict may be with this change itself, if the response of an earlier attempt was lost.
    if (outcome.uncertain && isWritten(patch, base, seen.data)) return seen;
    if (left <= 0) throw outcome;
    base = seen.data.version;
    await pause(Math.random() * MAX_DELAY_MS, options.signal);
  }
}

/** A function is called only after a read. */
function requireSeen<Stored>(seen: ApiResponse<Stored> | undefined): ApiResponse<Stored> {
  return seen as ApiResponse<Stored>;
}

function conflictIn(error: unknown): ConflictError {
  if (error instanceof ConflictError && error.status === 412) return error;
  throw error;
}

function isWritten(
  patch: unknown,
  base: number | string | undefined,
  stored: { version: number },
): boolean {
  return stored.version === numberOf(base) + 1 && isApplied(stored, patch);
}

function numberOf(version: number | string | undefined): number {
  return typeof version === 'string' ? Number(version.replaceAll('"', '')) : (version ?? NaN);
}

/** Returns true if the merge patch would change nothing (RFC 7396). */
function isApplied(stored: unknown, patch: unknown): boolean {
  if (patch === undefined) return true;
  if (patch === null) return stored === undefined || stored === null;
  if (typeof patch !== 'object' || Array.isArray(patch)) {
    return JSON.stringify(stored) === JSON.stringify(patch);
  }
  if (typeof stored !== 'object' || stored === null) return false;
  const members = stored as Record<string, unknown>;
  return Object.entries(patch).every(([key, value]) => isApplied(members[key], value));
}
