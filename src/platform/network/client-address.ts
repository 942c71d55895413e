import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/**
 * Returns the address of a request's client; `null` if a trusted proxy forwards something else, such as `unknown`. Such text
 * may come from the client, so it is neither stored nor compared.
 */
export function clientAddressOf({ ip }: { ip?: string | undefined }): string | null {
  // Strip the zone (fe80::1%eth0), which identifies a local interface.
  const [address = ''] = ip?.split('%') ?? [];
  return isIP(address) === 0 ? null : address;
}

/**
 * Returns the address that identifies a client. For IPv6, that is the first 64 bits, because a client usually has a whole
 * /64.
 */
export function clientNetwork(address: string): string {
  if (!address.includes(':') || !ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  return parsed.kind() === 'ipv6'
    ? parsed.toNormalizedString().split(':').slice(0, 4).join(':')
    : parsed.toString();
}
