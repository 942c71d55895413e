import ipaddr from 'ipaddr.js';

/** The address that stands for one client: of IPv6 the first 64 bits, because one client usually owns a whole /64. */
export function clientNetwork(address: string): string {
  if (!address.includes(':') || !ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  return parsed.kind() === 'ipv6'
    ? parsed.toNormalizedString().split(':').slice(0, 4).join(':')
    : parsed.toString();
}
