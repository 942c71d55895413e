import fc from 'fast-check';
import {
  dottedDecimal,
  ipv6Carrying,
  privateIPv4,
  privateIPv6,
  publicIPv4,
  publicIPv6,
} from '../../../test/webhooks/addresses.js';
import { isInside } from './ip-networks.js';
import { isAllowedAddress } from './allowed-address.js';

describe('the addresses that webhooks may connect to', () => {
  it('are all public IPv4 addresses', () => {
    fc.assert(
      fc.property(publicIPv4, (address) => {
        expect(isAllowedAddress(dottedDecimal(address), [])).toBe(true);
      }),
    );
  });

  it('are all public IPv6 addresses', () => {
    fc.assert(
      fc.property(publicIPv6, (address) => {
        expect(isAllowedAddress(address, [])).toBe(true);
      }),
    );
  });

  it('never are private IPv4 addresses', () => {
    fc.assert(
      fc.property(privateIPv4, (address) => {
        expect(isAllowedAddress(dottedDecimal(address), [])).toBe(false);
      }),
    );
  });

  it('never are private or unassigned IPv6 addresses', () => {
    fc.assert(
      fc.property(privateIPv6, (address) => {
        expect(isAllowedAddress(address, [])).toBe(false);
      }),
    );
  });

  it('never are private IPv4 addresses embedded in IPv6', () => {
    fc.assert(
      fc.property(privateIPv4.chain(ipv6Carrying), (address) => {
        expect(isAllowedAddress(address, [])).toBe(false);
      }),
    );
  });

  it('include an IPv4-mapped public address, because it connects by IPv4', () => {
    expect(isAllowedAddress('::ffff:8.8.8.8', [])).toBe(true);
  });

  it.each(['', 'example.com', '300.1.1.1', '1.2.3.4.5', ':::1', '10.0.0.0/8'])(
    'never are texts that are not addresses: %j',
    (text) => {
      expect(isAllowedAddress(text, ['0.0.0.0/0', '::/0'])).toBe(false);
    },
  );
});

describe('a network that the operator allowed', () => {
  it('allows its own addresses and no others', () => {
    fc.assert(
      fc.property(privateIPv4, (address) => {
        const text = dottedDecimal(address);
        expect(isAllowedAddress(text, ['10.0.0.0/8', '192.0.2.7'])).toBe(
          text.startsWith('10.') || text === '192.0.2.7',
        );
      }),
    );
  });

  it('treats an IPv4-mapped address as the IPv4 address', () => {
    expect(isAllowedAddress('::ffff:10.1.2.3', ['10.0.0.0/8'])).toBe(true);
  });

  it('with the NAT64 prefix allows public IPv4 addresses', () => {
    fc.assert(
      fc.property(publicIPv4, (address) => {
        expect(isAllowedAddress(`64:ff9b::${dottedDecimal(address)}`, ['64:ff9b::/96'])).toBe(true);
      }),
    );
  });

  it('of a tunnel allows no private IPv4 address', () => {
    const tunnels = ['64:ff9b::/96', '64:ff9b:1::/48', '2002::/16', '2001::/32', '2600::/12'];
    const carried = privateIPv4.chain(ipv6Carrying).filter((address) => !/^(::|0:)/.test(address));
    fc.assert(
      fc.property(carried, (address) => {
        expect(isAllowedAddress(address, tunnels)).toBe(false);
      }),
    );
  });

  it('of IPv6 loopback allows ::1', () => {
    expect(isAllowedAddress('::1', ['::1/128'])).toBe(true);
    expect(isInside('::1', ['::1'])).toBe(true);
    expect(isAllowedAddress('::1', ['127.0.0.0/8'])).toBe(false);
  });
});
