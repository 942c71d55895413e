import fc from 'fast-check';

/**
 * IPv4 ranges that are not public unicast, as base and prefix length (IANA's registries). Listed again here so the
 * product is not checked against the library that it uses.
 */
const SPECIAL_IPV4: readonly (readonly [string, number])[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['168.63.129.16', 32],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.31.196.0', 24],
  ['192.52.193.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['192.175.48.0', 24],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
];

/** The first 32 bits of an address, and the number of fixed bits. */
const SPECIAL_IPV6: readonly (readonly [string, number])[] = [
  ['0000:0000', 3],
  ['4000:0000', 2],
  ['fc00:0000', 7],
  ['fe80:0000', 10],
  ['fec0:0000', 10],
  ['ff00:0000', 8],
  ['2001:0db8', 32],
  ['3fff:0000', 20],
  ['5f00:0000', 16],
  ['8000:0000', 2],
  ['c000:0000', 3],
];

/** IPv4 addresses are unsigned 32-bit numbers here. */
export const privateIPv4 = fc
  .constantFrom(...SPECIAL_IPV4)
  .chain(([base, bits]) => fc.nat(2 ** (32 - bits) - 1).map((host) => numberOf(base) + host));

export const publicIPv4 = fc
  .nat(2 ** 32 - 1)
  .filter((address) => !SPECIAL_IPV4.some(([base, bits]) => isWithin(address, base, bits)));

/**
 * In networks that the registries assign to providers, with an interface identifier that does not contain an IPv4 address.
 */
export const publicIPv6 = fc
  .tuple(
    fc.constantFrom(0x2400, 0x2600, 0x2a00, 0x2a10),
    groups(6),
    fc.integer({ min: 1, max: 0xffff }),
  )
  .map(([first, rest, last]) => ipv6([first, ...rest, last]))
  .filter((address) => !/:5efe:[0-9a-f]+:[0-9a-f]+$/.test(address));

export const privateIPv6 = fc
  .tuple(fc.constantFrom(...SPECIAL_IPV6), groups(8))
  .map(([[prefix, bits], random]) => {
    const [high = 0, low = 0] = prefix.split(':').map((part) => parseInt(part, 16));
    const base = high * 0x10000 + low;
    const free = 2 ** (32 - bits);
    const head = base + (((random[0] ?? 0) * 0x10000 + (random[1] ?? 0)) % free);
    return ipv6([Math.floor(head / 0x10000), head % 0x10000, ...random.slice(2)]);
  });

/** Every way that a URL can spell an IPv4 address: 1 to 4 parts, each decimal, octal or hexadecimal. */
export function ipv4Spelling(address: number): fc.Arbitrary<string> {
  return fc
    .tuple(
      fc.integer({ min: 1, max: 4 }),
      fc.array(fc.constantFrom(10, 8, 16), { minLength: 4, maxLength: 4 }),
      fc.constantFrom('', '.'),
      fc.constantFrom(asIs, percentEncoded, fullWidth, ideographicStops, upperCase),
    )
    .map(([count, radixes, end, disguise]) => {
      const parts = partsOf(address, count).map((part, index) =>
        digits(part, radixes[index] ?? 10),
      );
      return disguise(parts.join('.') + end);
    });
}

/** Every way that an IPv6 address can contain an IPv4 address, without brackets. */
export function ipv6Carrying(address: number): fc.Arbitrary<string> {
  const [high, low] = [Math.floor(address / 0x10000), address % 0x10000];
  const dotted = partsOf(address, 4).join('.');
  const hexadecimal = `${high.toString(16)}:${low.toString(16)}`;
  const inverted = `${(high ^ 0xffff).toString(16)}:${(low ^ 0xffff).toString(16)}`;
  return fc
    .constantFrom(
      `::ffff:${dotted}`,
      `::ffff:${hexadecimal}`,
      `0:0:0:0:0:ffff:${hexadecimal}`,
      `::${dotted}`,
      `::ffff:0:${dotted}`,
      `64:ff9b::${dotted}`,
      `64:ff9b::${hexadecimal}`,
      `64:ff9b:1::${hexadecimal}`,
      `2002:${hexadecimal}::`,
      `2002:${hexadecimal}::1`,
      `2001:0:${hexadecimal}::1`,
      `2001:0:4136:e378:8000:63bf:${inverted}`,
      `2600:1f18::5efe:${dotted}`,
      `2600:1f18::200:5efe:${hexadecimal}`,
    )
    .chain((text) => fc.constantFrom(text, text.toUpperCase()));
}

export function dottedDecimal(address: number): string {
  return partsOf(address, 4).join('.');
}

function groups(count: number): fc.Arbitrary<number[]> {
  return fc.array(fc.nat(0xffff), { minLength: count, maxLength: count });
}

function ipv6(parts: readonly number[]): string {
  return parts.map((part) => part.toString(16)).join(':');
}

function numberOf(dotted: string): number {
  return dotted.split('.').reduce((number, part) => number * 256 + Number(part), 0);
}

function isWithin(address: number, base: string, bits: number): boolean {
  const size = 2 ** (32 - bits);
  return Math.floor(address / size) === Math.floor(numberOf(base) / size);
}

/** All parts but the last are one byte; the last contains the rest. */
function partsOf(address: number, count: number): number[] {
  const heads = Array.from(
    { length: count - 1 },
    (_, index) => Math.floor(address / 256 ** (3 - index)) % 256,
  );
  return [...heads, address % 256 ** (5 - count)];
}

function digits(part: number, radix: number): string {
  if (radix === 8) return `0${part.toString(8)}`;
  return radix === 16 ? `0x${part.toString(16)}` : String(part);
}

const asIs = (text: string) => text;
const upperCase = (text: string) => text.toUpperCase();
const percentEncoded = (text: string) =>
  text.replace(/\d/g, (digit) => `%${digit.charCodeAt(0).toString(16)}`);
const fullWidth = (text: string) =>
  text.replace(/\d/g, (digit) => String.fromCodePoint(0xff10 + Number(digit)));
const ideographicStops = (text: string) => text.replaceAll('.', '。');
