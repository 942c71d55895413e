import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/**
 * The address a request came from; `null` where a trusted proxy names something that is none, such as `unknown`. That
 * is a text of a client, and is neither kept nor compared with anything.
 */
export function clientAddressOf({ ip }: { ip?: string | undefined }): string | null {
  // A zone (fe80::1%eth0) names an interface of one host.
  const [address = ''] = ip?.split('%') ?? [];
  return isIP(address) === 0 ? null : address;
}

/** The address that stands for one client: of IPv6 the first 64 bits, because one client usually owns a whole /64. */
export function clientNetwork(address: string): string {
  if (!address.includes(':') || !ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  return parsed.kind() === 'ipv6'
    ? parsed.toNormalizedString().split(':').slice(0, 4).join(':')
    : parsed.toString();
}
