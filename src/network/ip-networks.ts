import ipaddr from 'ipaddr.js';

/** Whether the text is an address or a CIDR range. */
export function isNetwork(text: string): boolean {
  return ipaddr.isValid(text) || ipaddr.isValidCIDR(text);
}

/** Whether `address` lies in one of the networks, which are addresses and CIDR ranges. */
export function isInside(address: string, networks: readonly string[]): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.process(address);
  return networks.some((network) => {
    const [base, bits] = parseNetwork(network);
    return parsed.kind() === base.kind() && parsed.match(base, bits);
  });
}

function parseNetwork(network: string): [ipaddr.IPv4 | ipaddr.IPv6, number] {
  if (network.includes('/')) return ipaddr.parseCIDR(network);
  const address = ipaddr.process(network);
  return [address, address.kind() === 'ipv6' ? 128 : 32];
}
