import dns, { type LookupAddress } from 'node:dns';

/** A look-up that took longer, or failed, has the next ones of its name wait in line. */
const SLOW_MS = 1_000;
const MAX_SLOW_NAMES = 1_000;

/**
 * Looks up names as the system does. Look-ups hold one of Node's four threads each, which they share with all reading
 * of files, and one that nobody answers holds it for many seconds. So a name is looked up once at a time, and names that
 * were slow or unknown before take turns: receivers whose names are in trouble delay no other.
 */
export class NameLookup {
  private readonly running = new Map<string, Promise<LookupAddress[]>>();
  private readonly slow = new Set<string>();
  private line: Promise<unknown> = Promise.resolve();

  /** All addresses of a name, in the system's order. Rejects with the system's error. */
  addresses(name: string): Promise<LookupAddress[]> {
    const running = this.running.get(name);
    if (running) return running;
    const started = this.slow.has(name) ? this.inLine(name) : this.lookUp(name);
    this.running.set(name, started);
    const forget = () => this.running.delete(name);
    started.then(forget, forget);
    return started;
  }

  private inLine(name: string): Promise<LookupAddress[]> {
    const turn = this.line.then(() => this.lookUp(name));
    this.line = turn.catch(() => undefined);
    return turn;
  }

  private async lookUp(name: string): Promise<LookupAddress[]> {
    const started = performance.now();
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
      this.remember(name, !found || performance.now() - started > SLOW_MS);
    }
  }

  private remember(name: string, slow: boolean): void {
    if (!slow) this.slow.delete(name);
    else if (this.slow.size < MAX_SLOW_NAMES) this.slow.add(name);
  }
}
