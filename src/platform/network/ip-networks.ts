import ipaddr from 'ipaddr.js';

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** Bits of ::ffff:0:0/96, the prefix of IPv4-mapped IPv6 addresses. */
const MAPPED_BITS = 96;

/** An address and the length of its prefix in bits; `undefined` for a single address. */
interface Range {
  address: Address;
  bits: number | undefined;
}

/**
 * Returns the canonical form of an address or CIDR range (`10.1.2.3/8` → `10.0.0.0/8`), or `undefined` for other texts.
 * Converts IPv4-mapped IPv6 to IPv4, because clients are compared in that form. Rejects short and octal spellings.
 */
export function canonicalRange(text: string): string | undefined {
  const range = parseRange(text);
  if (range === undefined) return undefined;
  const { address, bits } = range;
  if (bits === undefined) return address.toString();
  const version = address instanceof ipaddr.IPv4 ? ipaddr.IPv4 : ipaddr.IPv6;
  const network = version.networkAddressFromCIDR(`${address.toString()}/${String(bits)}`);
  return `${network.toString()}/${String(bits)}`;
}

/** True if a text is an address or a CIDR range in an unambiguous spelling. */
export function isNetwork(text: string): boolean {
  return parseRange(text) !== undefined;
}

/** True if `address` is in one of the networks (addresses and CIDR ranges). Ignores other texts. */
export function isInside(address: string, networks: readonly string[]): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.process(address);
  return networks.some((network) => {
    const range = parseRange(network);
    if (range?.address.kind() !== parsed.kind()) return false;
    return parsed.match(range.address, range.bits ?? widthOf(parsed));
  });
}

/** True if one of the networks contains all addresses of `range`. Both are addresses or CIDR ranges. */
export function isWithin(range: string, networks: readonly string[]): boolean {
  const inner = parseRange(range);
  if (inner === undefined) return false;
  const { address } = inner;
  return networks.some((network) => {
    const outer = parseRange(network);
    if (outer?.address.kind() !== address.kind()) return false;
    const bits = outer.bits ?? widthOf(address);
    return bits <= (inner.bits ?? widthOf(address)) && address.match(outer.address, bits);
  });
}

function parseRange(text: string): Range | undefined {
  const [base = '', digits, ...rest] = text.split('/');
  if (rest.length > 0 || !isPlainAddress(base)) return undefined;
  const address = ipaddr.parse(base);
  if (digits === undefined) return { address: ipaddr.process(base), bits: undefined };
  const bits = Number(digits);
  if (!/^(0|[1-9]\d{0,2})$/.test(digits) || bits > widthOf(address)) return undefined;
  if (address instanceof ipaddr.IPv6 && address.isIPv4MappedAddress() && bits >= MAPPED_BITS) {
    return { address: address.toIPv4Address(), bits: bits - MAPPED_BITS };
  }
  return { address, bits };
}

function isPlainAddress(text: string): boolean {
  // A zone (fe80::1%eth0) identifies a local interface.
  if (text.includes('%')) return false;
  return text.includes(':') ? ipaddr.IPv6.isValid(text) : ipaddr.IPv4.isValidFourPartDecimal(text);
}

function widthOf(address: Address): number {
  return address.kind() === 'ipv6' ? 128 : 32;
}
