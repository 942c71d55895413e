import ipaddr from 'ipaddr.js';
import type { FieldProblem } from '../../errors/app-error.js';

/** Most entries of one allow-list. */
export const MAX_RANGES = 100;

/** IPv4 addresses that IPv6 carries: ::ffff:0:0/96. */
const MAPPED_BITS = 96;
const IPV6_ONLY_ZONE = '%';

/**
 * The canonical form of an address or CIDR range (`10.1.2.3/8` → `10.0.0.0/8`), or `undefined` when it is neither.
 * IPv4 in IPv6 clothes becomes IPv4, because clients are compared that way; short and octal spellings are refused.
 */
export function canonicalRange(text: string): string | undefined {
  const [address = '', bits, ...rest] = text.split('/');
  if (rest.length > 0 || !isPlainAddress(address)) return undefined;
  const parsed = ipaddr.parse(address);
  if (bits === undefined) return ipaddr.process(address).toString();
  const most = parsed.kind() === 'ipv6' ? 128 : 32;
  if (!/^(0|[1-9]\d{0,2})$/.test(bits) || Number(bits) > most) return undefined;
  return network(parsed, Number(bits));
}

function isPlainAddress(text: string): boolean {
  if (text.includes(IPV6_ONLY_ZONE)) return false;
  return text.includes(':') ? ipaddr.IPv6.isValid(text) : ipaddr.IPv4.isValidFourPartDecimal(text);
}

function network(address: ipaddr.IPv4 | ipaddr.IPv6, bits: number): string {
  if (address instanceof ipaddr.IPv4) {
    return `${ipaddr.IPv4.networkAddressFromCIDR(`${address.toString()}/${String(bits)}`).toString()}/${String(bits)}`;
  }
  if (address.isIPv4MappedAddress() && bits >= MAPPED_BITS) {
    return network(address.toIPv4Address(), bits - MAPPED_BITS);
  }
  return `${ipaddr.IPv6.networkAddressFromCIDR(`${address.toString()}/${String(bits)}`).toString()}/${String(bits)}`;
}

/** What is wrong with the items of `allowedIps`. Other shapes are not judged. */
export function rangeProblems(value: unknown): FieldProblem[] {
  if (!Array.isArray(value) || value.length > MAX_RANGES) return [];
  return value.flatMap((item: unknown, index) =>
    typeof item === 'string' && canonicalRange(item) !== undefined
      ? []
      : [
          {
            field: `allowedIps[${String(index)}]`,
            issue:
              'is neither an address nor a CIDR range; write it like 192.0.2.7, 10.0.0.0/8 or 2001:db8::/32',
          },
        ],
  );
}
