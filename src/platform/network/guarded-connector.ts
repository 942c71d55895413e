import dns, { type LookupAddress } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { LRUCache } from 'lru-cache';
import pLimit from 'p-limit';
import { buildConnector } from 'undici';
import { runningTime } from '../basics/clock/time-limit.js';

/** A connection that was not made, or was closed before anything was sent, because of where it leads. */
export class AddressRefusedError extends Error {
  override readonly name = 'AddressRefusedError';

  constructor(readonly address: string) {
    super(`The address ${address} is not allowed.`);
  }
}

export type IsAllowed = (address: string) => boolean;

/**
 * Opens connections for undici to allowed addresses only. An address in the URL is checked as it stands, because no
 * look-up is made for it; a name by all addresses of one look-up, of which the connection then uses one, so that another
 * answer to another look-up changes nothing; and the connection once more by its own far end. Certificates are always
 * verified, also against NODE_TLS_REJECT_UNAUTHORIZED.
 */
export function guardedConnector(
  isAllowed: IsAllowed,
  timeoutMs: number,
): buildConnector.connector {
  const connect = buildConnector({
    timeout: timeoutMs,
    allowH2: false,
    rejectUnauthorized: true,
    lookup: guardedLookup(isAllowed),
  });
  return (options, callback) => {
    const host = options.hostname.replace(/^\[|\]$/g, '');
    if (isIP(host) !== 0 && !isAllowed(host)) {
      queueMicrotask(() => {
        callback(new AddressRefusedError(host), null);
      });
      return;
    }
    connect(options, (...[error, socket]) => {
      const farEnd = socket?.remoteAddress ?? 'unknown';
      if (error !== null) callback(error, null);
      else if (isAllowed(farEnd)) callback(null, socket);
      else {
        socket.destroy();
        callback(new AddressRefusedError(farEnd), null);
      }
    });
  };
}

function guardedLookup(isAllowed: IsAllowed): LookupFunction {
  const names = new NameLookup();
  return (hostname, { all }, callback) => {
    names.addresses(hostname).then(
      (addresses) => {
        const refused = addresses.find(({ address }) => !isAllowed(address));
        const [first] = addresses;
        if (refused) callback(new AddressRefusedError(refused.address), []);
        // Node throws where nobody can catch it when it is given no address.
        else if (!first) callback(noAddress(hostname), []);
        else if (all) callback(null, addresses);
        else callback(null, first.address, first.family);
      },
      (error: unknown) => {
        callback(error as Error, []);
      },
    );
  };
}

/** The system answered a look-up with nothing. */
function noAddress(hostname: string): Error {
  return Object.assign(new Error(`${hostname} has no address`), { code: 'ENODATA' });
}

/** A look-up that takes longer, in milliseconds, counts as one that failed. */
const SLOW_LOOKUP_MS = 1_000;
const MAX_NAMES = 10_000;
/** Look-ups at once of names that were not looked up before, and of those whose last look-up failed. */
const NEW_AT_ONCE = 2;
const FAILED_AT_ONCE = 1;

/**
 * Looks up names as the system does. A look-up holds one of Node's four threads, which serve all reading of files too,
 * and one that nobody answers holds it for many seconds. So names that were quick before are looked up at once, and all
 * others leave a thread to them, however many a hostile client registers.
 */
export class NameLookup {
  private readonly running = new Map<string, Promise<LookupAddress[]>>();
  private readonly wasQuick = new LRUCache<string, boolean>({ max: MAX_NAMES });
  private readonly limitNew = pLimit(NEW_AT_ONCE);
  private readonly limitFailed = pLimit(FAILED_AT_ONCE);

  /** All addresses of a name, in the system's order; one look-up for all who ask meanwhile. Rejects with the system's error. */
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
    const wasQuick = this.wasQuick.get(name);
    if (wasQuick) return this.lookUp(name);
    const limit = wasQuick === undefined ? this.limitNew : this.limitFailed;
    return limit(() => this.lookUp(name));
  }

  private async lookUp(name: string): Promise<LookupAddress[]> {
    const started = runningTime();
    this.wasQuick.set(name, false);
    // By the object, so that whoever replaces the system's look-up replaces it here too.
    const addresses = await new Promise<LookupAddress[]>((resolve, reject) => {
      dns.lookup(name, { all: true }, (error, all) => {
        if (error) reject(error);
        else resolve(all);
      });
    });
    this.wasQuick.set(name, runningTime() - started <= SLOW_LOOKUP_MS);
    return addresses;
  }
}
