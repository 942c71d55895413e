import dns, { type LookupAddress } from 'node:dns';
import pLimit from 'p-limit';
import { runningTime } from '../../clock/time-limit.js';

/** A look-up that took longer, or failed, makes its name a troubled one. */
const SLOW_MS = 1_000;
/** Names that are remembered of each kind; the oldest is forgotten first. */
const MAX_NAMES = 10_000;
/** Look-ups at once of names that nothing is known of, and of troubled ones. */
const UNKNOWN_AT_ONCE = 2;
const TROUBLED_AT_ONCE = 1;

/**
 * Looks up names as the system does. Look-ups hold one of Node's four threads each, which they share with all reading
 * of files, and one that nobody answers holds it for many seconds. So a name is looked up once at a time, and only names
 * that were quick before always may: the others leave a thread to them, however many a hostile client registers.
 */
export class NameLookup {
  private readonly running = new Map<string, Promise<LookupAddress[]>>();
  private readonly quick = new Set<string>();
  private readonly troubled = new Set<string>();
  private readonly unknownInTurn = pLimit(UNKNOWN_AT_ONCE);
  private readonly troubledInTurn = pLimit(TROUBLED_AT_ONCE);

  /** All addresses of a name, in the system's order. Rejects with the system's error. */
  addresses(name: string): Promise<LookupAddress[]> {
    const running = this.running.get(name);
    if (running) return running;
    const started = this.start(name);
    this.running.set(name, started);
    const forget = () => this.running.delete(name);
    started.then(forget, forget);
    return started;
  }

  private start(name: string): Promise<LookupAddress[]> {
    if (this.quick.has(name)) return this.lookUp(name);
    const inTurn = this.troubled.has(name) ? this.troubledInTurn : this.unknownInTurn;
    return inTurn(() => this.lookUp(name));
  }

  private async lookUp(name: string): Promise<LookupAddress[]> {
    const started = runningTime();
    let found = false;
    try {
      // By the object, so that whoever replaces the system's look-up replaces it here too.
      const addresses = await new Promise<LookupAddress[]>((resolve, reject) => {
        dns.lookup(name, { all: true }, (error, all) => {
          if (error) reject(error);
          else resolve(all);
        });
      });
      found = true;
      return addresses;
    } finally {
      const wasQuick = found && runningTime() - started <= SLOW_MS;
      remember(name, wasQuick ? this.quick : this.troubled);
      (wasQuick ? this.troubled : this.quick).delete(name);
    }
  }
}

function remember(name: string, names: Set<string>): void {
  names.delete(name);
  names.add(name);
  if (names.size <= MAX_NAMES) return;
  for (const oldest of names) {
    names.delete(oldest);
    return;
  }
}
