import { isIP, type LookupFunction } from 'node:net';
import { buildConnector } from 'undici';
import { isAllowedAddress } from '../receiver-address.js';
import { NameLookup } from './name-lookup.js';

/** A connection that was not made, or was closed before anything was sent, because of where it leads. */
export class AddressRefusedError extends Error {
  override readonly name = 'AddressRefusedError';

  constructor(readonly address: string) {
    super(`The address ${address} is not allowed.`);
  }
}

/** The system answered a look-up with nothing. */
class NoAddressError extends Error {
  override readonly name = 'NoAddressError';
  readonly code = 'ENODATA';

  constructor(hostname: string) {
    super(`${hostname} has no address`);
  }
}

type Judge = (address: string) => boolean;

/**
 * Opens connections for undici to allowed addresses only. An address in the URL is judged as it stands, because no
 * look-up is made for it; a name by all the addresses it has, of which the connection then uses one, so that another
 * answer to another look-up changes nothing; and the connection once more by its own far end. Certificates are always
 * verified, also against NODE_TLS_REJECT_UNAUTHORIZED.
 */
export function guardedConnector(
  allowedNetworks: readonly string[],
  timeoutMs: number,
): buildConnector.connector {
  const isAllowed: Judge = (address) => isAllowedAddress(address, allowedNetworks);
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

function guardedLookup(isAllowed: Judge): LookupFunction {
  const names = new NameLookup();
  return (hostname, { all }, callback) => {
    names.addresses(hostname).then(
      (addresses) => {
        const refused = addresses.find(({ address }) => !isAllowed(address));
        const [first] = addresses;
        if (refused) callback(new AddressRefusedError(refused.address), []);
        // Node throws where nobody can catch it when it is given no address.
        else if (!first) callback(new NoAddressError(hostname), []);
        else if (all) callback(null, addresses);
        else callback(null, first.address, first.family);
      },
      (error: unknown) => {
        callback(error as Error, []);
      },
    );
  };
}
