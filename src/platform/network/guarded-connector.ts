import dns, { type LookupAddress } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { LRUCache } from 'lru-cache';
import pLimit from 'p-limit';
import { buildConnector } from 'undici';
import { runningTime } from '../basics/clock/time-limit.js';
import { limitReceivedBytes } from './response-limits.js';

/** No connection was made, or it was closed before anything was sent, because the address is not allowed. */
export class AddressRefusedError extends Error {
  override readonly name = 'AddressRefusedError';

  constructor(readonly address: string) {
    super(`The address ${address} is not allowed.`);
  }
}

export type IsAllowed = (address: string) => boolean;

interface GuardedConnectorOptions {
  isAllowed: IsAllowed;
  timeoutMs: number;
  maxBytes: number;
}

/**
 * Opens connections for undici to allowed addresses only, and always verifies certificates, even with
 * NODE_TLS_REJECT_UNAUTHORIZED=0.
 * - An address in the URL is checked directly, because it needs no DNS lookup.
 * - All addresses of a name are checked in one lookup, and one of them is used. A later lookup with another result
 *   changes nothing (DNS rebinding).
 * - The remote address of the connection is checked.
 * A response of more than `maxBytes`, with its headers and framing, closes the connection.
 */
export function guardedConnector({
  isAllowed,
  timeoutMs,
  maxBytes,
}: GuardedConnectorOptions): buildConnector.connector {
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
      const remoteAddress = socket?.remoteAddress ?? 'unknown';
      if (error !== null) callback(error, null);
      else if (isAllowed(remoteAddress)) {
        limitReceivedBytes(socket, maxBytes);
        callback(null, socket);
      } else {
        socket.destroy();
        callback(new AddressRefusedError(remoteAddress), null);
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
        // Without an address Node throws an uncaught exception.
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

function noAddress(hostname: string): Error {
  return Object.assign(new Error(`${hostname} has no address`), { code: 'ENODATA' });
}

/** A lookup that takes longer counts as failed, in milliseconds. */
const SLOW_LOOKUP_MS = 1_000;
const MAX_NAMES = 10_000;
/** Maximum concurrent lookups of new names, and of names whose last lookup failed. */
const NEW_AT_ONCE = 2;
const FAILED_AT_ONCE = 1;

/**
 * Looks up names with the operating system. If no server responds, a lookup occupies one of Node's four threads for many
 * seconds, and those threads also read files. Names that were quick before are looked up immediately. All others leave a
 * thread free, even if a hostile client registers many of them.
 */
export class NameLookup {
  private readonly running = new Map<string, Promise<LookupAddress[]>>();
  private readonly wasQuick = new LRUCache<string, boolean>({ max: MAX_NAMES });
  private readonly limitNew = pLimit(NEW_AT_ONCE);
  private readonly limitFailed = pLimit(FAILED_AT_ONCE);

  /** Returns all addresses of a name, in the system's order. Concurrent calls share one lookup. Rejects with the system's error. */
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
    // Call it on the `dns` object, so that tests and instrumentation can replace it.
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
