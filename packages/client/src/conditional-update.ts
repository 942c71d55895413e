import { Call, type Answer } from './call.js';
import { ConflictError } from './errors.js';
import { pause, type RequestOptions } from './transport.js';

/** A change, or what makes one of the stored record; `undefined` of it leaves all as it is. */
export type Change<Stored, Patch> =
  Patch | ((stored: Stored) => Patch | undefined | Promise<Patch | undefined>);

export interface UpdateOptions extends RequestOptions {
  /**
   * When the record was changed meanwhile, read it again and apply the change to that: so many times, or 10 for `true`.
   * Unless said otherwise a function is applied again and an object is not.
   */
  retryOnConflict?: boolean | number | undefined;
}

interface Ways<Stored, Patch> {
  read: (options: RequestOptions) => Call<Stored>;
  write: (patch: Patch, options: RequestOptions) => Call<Stored>;
}

const CONFLICTS = 10;
const LONGEST_PAUSE_MS = 100;

/** Writes a change under the version that it was made of. */
export function updateWith<Stored extends { version: number }, Patch extends object>(
  ways: Ways<Stored, Patch>,
  change: Change<Stored, Patch>,
  options: UpdateOptions,
): Call<Stored> {
  return new Call(updated(ways, change, options));
}

async function updated<Stored extends { version: number }, Patch extends object>(
  ways: Ways<Stored, Patch>,
  change: Change<Stored, Patch>,
  { retryOnConflict = typeof change === 'function', ifMatch, ...options }: UpdateOptions,
): Promise<Answer<Stored>> {
  const read = () => ways.read(options).withResponse();
  let seen = typeof change === 'function' ? await read() : undefined;
  let base = ifMatch ?? seen?.data.version;
  for (let left = retryOnConflict === true ? CONFLICTS : Number(retryOnConflict); ; left -= 1) {
    const patch = typeof change === 'function' ? await change(seenBy(seen).data) : change;
    if (patch === undefined) return seenBy(seen);
    const written = ways.write(patch, { ...options, ifMatch: base }).withResponse();
    const outcome = await written.catch(conflictIn);
    if (!(outcome instanceof ConflictError)) return outcome;
    if (left <= 0 && !outcome.uncertain) throw outcome;
    seen = await read();
    // The conflict may be with this very change, written by an attempt whose answer was lost.
    if (outcome.uncertain && isWritten(patch, base, seen.data)) return seen;
    if (left <= 0) throw outcome;
    base = seen.data.version;
    await pause(Math.random() * LONGEST_PAUSE_MS, options.signal);
  }
}

/** A function is only asked about what was read. */
function seenBy<Stored>(seen: Answer<Stored> | undefined): Answer<Stored> {
  return seen as Answer<Stored>;
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
  return stored.version === numberOf(base) + 1 && holds(stored, patch);
}

function numberOf(version: number | string | undefined): number {
  return typeof version === 'string' ? Number(version.replaceAll('"', '')) : (version ?? NaN);
}

/** Whether merging the patch would change nothing (RFC 7396). */
function holds(stored: unknown, patch: unknown): boolean {
  if (patch === undefined) return true;
  if (patch === null) return stored === undefined || stored === null;
  if (typeof patch !== 'object' || Array.isArray(patch)) {
    return JSON.stringify(stored) === JSON.stringify(patch);
  }
  if (typeof stored !== 'object' || stored === null) return false;
  const members = stored as Record<string, unknown>;
  return Object.entries(patch).every(([key, value]) => holds(members[key], value));
}
