import { canonicalRange, MAX_RANGES, rangeProblems } from './address-range.js';

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

  it('takes IPv4 in IPv6 clothes for the IPv4 it is, because clients are compared that way', () => {
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

describe('rangeProblems', () => {
  it('names each entry that is no address', () => {
    const fields = rangeProblems(['10.0.0.0/8', 'home', 7]).map(({ field }) => field);
    expect(fields).toEqual(['allowedIps[1]', 'allowedIps[2]']);
  });

  it('leaves lists that are refused as a whole alone', () => {
    expect(rangeProblems('10.0.0.0/8')).toEqual([]);
    expect(rangeProblems(Array.from({ length: MAX_RANGES + 1 }, () => 'home'))).toEqual([]);
  });
});
