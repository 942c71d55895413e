import ipaddr from 'ipaddr.js';
import { isInside } from './ip-networks.js';

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** The only IPv6 range assigned for public unicast (IANA, "IPv6 Global Unicast Address Assignments"). */
const PUBLIC_IPV6 = ipaddr.IPv6.parseCIDR('2000::/3');

/** Public addresses of internal cloud services. Azure's machines connect to their agent here. */
const CLOUD_SERVICES: readonly string[] = ['168.63.129.16'];

/**
 * True if the service may connect to `address`: it is public unicast, or in one of the operator's `allowedNetworks`
 * (addresses and CIDR ranges). An IPv6 address that embeds IPv4 addresses (NAT64, 6to4, Teredo, ISATAP) is allowed only
 * if those are allowed too, even in an allowed network. Returns false for text that is not an address.
 */
export function isAllowedAddress(address: string, allowedNetworks: readonly string[]): boolean {
  if (!ipaddr.isValid(address)) return false;
  // `process` converts the IPv4-mapped ::ffff:a.b.c.d, which connects by IPv4, to that IPv4 address.
  const parsed = ipaddr.process(address);
  return [parsed, ...embeddedIPv4(parsed)].every(
    (one) => isPublic(one) || isInside(one.toString(), allowedNetworks),
  );
}

function isPublic(address: Address): boolean {
  if (address.range() !== 'unicast' || CLOUD_SERVICES.includes(address.toString())) return false;
  return address instanceof ipaddr.IPv4 || address.match(...PUBLIC_IPV6);
}

/** Returns the IPv4 addresses to which a router may forward packets for an IPv6 address. */
function embeddedIPv4(address: Address): ipaddr.IPv4[] {
  if (address instanceof ipaddr.IPv4) return [];
  const bytes = address.toByteArray();
  const at = (offset: number) => new ipaddr.IPv4(bytes.slice(offset, offset + 4));
  switch (address.range()) {
    case 'rfc6052': // NAT64
    case 'rfc6145': // stateless translation
      return [at(12)];
    case '6to4':
      return [at(2)];
    case 'teredo': // the server, and the client with inverted bits
      return [at(4), new ipaddr.IPv4(bytes.slice(12).map((byte) => byte ^ 0xff))];
    default:
      return isIPv4Compatible(address) || isIsatap(bytes) ? [at(12)] : [];
  }
}

/** `::a.b.c.d`, deprecated by RFC 4291. */
function isIPv4Compatible(address: ipaddr.IPv6): boolean {
  return (
    address.parts.slice(0, 6).every((part) => part === 0) &&
    !['unspecified', 'loopback'].includes(address.range())
  );
}

/** An interface identifier `[02]00:5efe:a.b.c.d` in any network (RFC 5214). */
function isIsatap(bytes: readonly number[]): boolean {
  return (
    ((bytes[8] ?? 0) & 0xfd) === 0 && bytes[9] === 0 && bytes[10] === 0x5e && bytes[11] === 0xfe
  );
}
