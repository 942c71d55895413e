import { canonicalRange, isInside, isNetwork, isWithin } from './ip-networks.js';

describe('canonicalRange', () => {
  it.each([
    ['192.0.2.7', '192.0.2.7'],
    ['10.1.2.3/8', '10.0.0.0/8'],
    ['0.0.0.0/0', '0.0.0.0/0'],
    ['192.0.2.7/32', '192.0.2.7/32'],
    ['2001:DB8:0:0::1', '2001:db8::1'],
    ['2001:db8::1/32', '2001:db8::/32'],
    ['::/0', '::/0'],
  ])('writes %s as %s', (text, canonical) => {
    expect(canonicalRange(text)).toBe(canonical);
  });

  it('converts IPv4-mapped IPv6 to IPv4, because clients are compared in that form', () => {
    expect(canonicalRange('::ffff:192.0.2.7')).toBe('192.0.2.7');
    expect(canonicalRange('::ffff:10.1.2.3/104')).toBe('10.0.0.0/8');
  });

  it.each([
    '',
    'localhost',
    '10',
    '10.1',
    '010.0.0.1',
    '0x0a.0.0.1',
    '256.0.0.1',
    '10.0.0.0/33',
    '10.0.0.0/',
    '10.0.0.0/08',
    '10.0.0.0/-1',
    '10.0.0.0/8/8',
    '10.0.0.0/255.0.0.0',
    '2001:db8::/129',
    'fe80::1%eth0',
    ' 10.0.0.1',
  ])('refuses %j', (text) => {
    expect(canonicalRange(text)).toBeUndefined();
  });
});

describe('isNetwork', () => {
  it.each(['10.0.0.0/8', '192.0.2.7', '2001:db8::/32', '::ffff:10.0.0.0/104'])(
    'accepts %s',
    (text) => {
      expect(isNetwork(text)).toBe(true);
    },
  );

  it.each(['10/8', '010.0.0.1', '0x0a.0.0.1', '10.0.0.0/08', 'loopback'])(
    'refuses the ambiguous or invalid %s',
    (text) => {
      expect(isNetwork(text)).toBe(false);
    },
  );
});

describe('isInside', () => {
  it.each([
    ['10.1.2.3', '10.0.0.0/8'],
    ['10.1.2.3', '10.9.9.9/8'],
    ['10.1.2.3', '::ffff:10.0.0.0/104'],
    ['::ffff:10.1.2.3', '10.0.0.0/8'],
    ['192.0.2.7', '::ffff:192.0.2.7'],
    ['2001:db8::1', '2001:db8::/32'],
    ['2001:db8::1', '2001:DB8::1'],
  ])('finds %s in %s', (address, network) => {
    expect(isInside(address, ['203.0.113.0/24', network])).toBe(true);
  });

  it.each([
    ['11.1.2.3', '10.0.0.0/8'],
    ['2001:db9::1', '2001:db8::/32'],
    ['10.1.2.3', '::/0'],
    ['0.0.0.10', '10/8'],
    ['not an address', '0.0.0.0/0'],
  ])('does not find %s in %s', (address, network) => {
    expect(isInside(address, [network])).toBe(false);
  });
});

describe('isWithin', () => {
  it.each([
    ['10.1.0.0/16', '10.0.0.0/8'],
    ['10.0.0.0/8', '10.0.0.0/8'],
    ['10.1.2.3', '10.0.0.0/8'],
    ['10.1.2.3', '10.1.2.3/32'],
    ['10.1.2.3/32', '10.1.2.3'],
    ['::ffff:10.1.0.0/112', '10.0.0.0/8'],
    ['10.1.2.3', '::ffff:10.0.0.0/104'],
    ['2001:db8:1::/48', '2001:db8::/32'],
    ['2001:db8::1', '::/0'],
  ])('finds all of %s in %s', (range, network) => {
    expect(isWithin(range, ['203.0.113.0/24', network])).toBe(true);
  });

  it.each([
    ['10.0.0.0/8', '10.1.0.0/16'],
    ['10.0.0.0/7', '10.0.0.0/8'],
    ['10.1.2.3/31', '10.1.2.3'],
    ['0.0.0.0/0', '10.0.0.0/8'],
    ['11.0.0.0/8', '10.0.0.0/8'],
    ['10.1.2.3', '::/0'],
    ['::/0', '0.0.0.0/0'],
    ['::ffff:0:0/95', '0.0.0.0/0'],
    ['2001:db8::/31', '2001:db8::/32'],
    ['home', '0.0.0.0/0'],
  ])('does not find all of %s in %s', (range, network) => {
    expect(isWithin(range, [network])).toBe(false);
  });
});
