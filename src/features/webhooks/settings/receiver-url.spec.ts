import fc from 'fast-check';
import {
  ipv4Spelling,
  ipv6Carrying,
  privateIPv4,
  privateIPv6,
  publicIPv4,
  publicIPv6,
} from '../../../../test/webhooks/addresses.js';
import { BROKEN_URLS, PRIVATE_URLS } from '../../../../test/webhooks/private-urls.js';
import { receiverUrlProblems, type ReceiverPolicy } from './receiver-url.js';
import { propertyRuns } from '../../../../test/support/property-runs.js';

const PRODUCTION: ReceiverPolicy = { webhookAllowedNetworks: [], webhookAllowHttp: false };
const DEVELOPMENT: ReceiverPolicy = {
  webhookAllowedNetworks: ['127.0.0.0/8', '::1/128'],
  webhookAllowHttp: false,
};
const COMPOSE: ReceiverPolicy = {
  webhookAllowedNetworks: ['172.16.0.0/12'],
  webhookAllowHttp: true,
};

const issuesOf = (url: unknown, policy = PRODUCTION) =>
  receiverUrlProblems(url, policy).map(({ issue }) => issue);

describe('the URL of a receiver', () => {
  it.each([
    'https://example.com',
    'https://example.com/webhooks?source=documents&x=%20',
    'https://example.com:8443/a//b',
    'HTTPS://EXAMPLE.COM/',
    'https://example.com./webhooks',
    'https://a_b.example.com/',
    'https://bücher.example/ü',
    'https://xn--bcher-kva.example/',
    'https://localhost.example.com/',
    'https://127.0.0.1.example.com/',
    'https://internal.example.org/',
    'https://93.184.215.14/',
    'https://[2606:2800:21f:cb07:6820:80da:af6b:8b2c]:8443/',
    'https://example.com/@user',
  ])('may be %s', (url) => {
    expect(issuesOf(url)).toEqual([]);
  });

  it.each([
    '',
    'example.com',
    'https:example.com',
    'https:///example.com',
    'https:\\\\example.com',
    'https://example.com\\@10.0.0.1/',
    ' https://example.com',
    'https://example.com/a b',
    'https://exam\nple.com/',
    'https://',
    'https://example.com:99999/',
    'https://[::1',
    'https://foo.1/',
    '//example.com/',
  ])('is refused if it is not a URL or if parsers could disagree about it: %j', (url) => {
    expect(issuesOf(url)).toEqual(['is not a URL; write it like https://example.com/webhooks']);
  });

  it.each([
    'ftp://example.com/',
    'ws://example.com/',
    'file://example.com/etc',
    'gopher://10.0.0.1/',
  ])('is refused with another scheme: %s', (url) => {
    expect(issuesOf(url)).toEqual(['must begin with https://']);
  });

  it.each([
    ['http://example.com/', /https:\/\/; plain http/],
    ['https://user:pass@example.com/', /user name or password/],
    ['https://user@example.com/', /user name or password/],
    ['https://@example.com/', /user name or password/],
    ['https://example.com/#', /fragment/],
    ['https://example.com:0/', /port 0/],
    ['https://exa$mple.com/', /not a valid name/],
    ['https://example..com/', /not a valid name/],
    [`https://${'a'.repeat(64)}.com/`, /not a valid name/],
  ])('is refused: %s', (url, issue) => {
    expect(issuesOf(url)).toEqual([expect.stringMatching(issue)]);
  });

  it('has all its problems reported at once, without its credentials', () => {
    const issues = issuesOf('http://alice:s3cret@10.0.0.1:0/#top');
    expect(issues).toHaveLength(5);
    expect(issues.join()).not.toMatch(/alice|s3cret/);
  });

  it.each(PRIVATE_URLS)('is refused if it points to a private network: %j', (url) => {
    expect(issuesOf(url)).toEqual([expect.stringMatching(/WEBHOOK_ALLOWED_NETWORKS/)]);
    const overHttp = { webhookAllowedNetworks: [], webhookAllowHttp: true };
    expect(issuesOf(url.replace(/^https/, 'http'), overHttp)).not.toEqual([]);
  });

  it.each(BROKEN_URLS)('is refused if it is broken or ambiguous: %j', (url) => {
    expect(issuesOf(url)).not.toEqual([]);
    expect(issuesOf(url).join()).not.toMatch(/user:pass/);
  });

  it('is either refused or unambiguous and public', () => {
    const hosts = fc.oneof(fc.webAuthority({ withUserInfo: true, withIPv4: true }), fc.string());
    fc.assert(
      fc.property(hosts, fc.webPath(), (host, path) => {
        const url = `https://${host}${path}`;
        if (issuesOf(url).length > 0) return;
        const { hostname, username, password, hash } = new URL(url);
        expect([username, password, hash]).toEqual(['', '', '']);
        expect(hostname).not.toMatch(/^(localhost$|(127|10|192\.168|169\.254|0)\.[\d.]+$)/);
        // Normalizing it again changes nothing.
        expect(new URL(`https://${hostname}`).hostname).toBe(hostname);
      }),
      { numRuns: propertyRuns(2_000) },
    );
  });

  it.each([null, 7, {}, ['https://example.com'], 'x'.repeat(2049)])(
    'is left to other checks if it is too long or not a string',
    (url) => {
      expect(issuesOf(url)).toEqual([]);
    },
  );

  it.each([
    'localhost',
    'LOCALHOST',
    'localhost.',
    'ⓛocalhost',
    'api.localhost',
    'printer.local',
    'vault.internal',
    'metadata.google.internal',
    'nas.home.arpa',
    'db',
    'db.',
    'router.lan',
  ])('is refused if its name can only be private: %s', (host) => {
    expect(issuesOf(`https://${host}/`)).toEqual([expect.stringMatching(/private network/)]);
  });
});

describe('a receiver with an address in its URL', () => {
  const refusedAs = (policy: ReceiverPolicy) => (host: string) => {
    expect(issuesOf(`https://${host}/webhooks`, policy)).not.toEqual([]);
  };
  const accepted = (host: string) => {
    expect(issuesOf(`https://${host}/webhooks`)).toEqual([]);
  };

  it('is refused when private, in every spelling of IPv4', () => {
    fc.assert(fc.property(privateIPv4.chain(ipv4Spelling), refusedAs(PRODUCTION)), {
      numRuns: propertyRuns(500),
    });
  });

  it('is refused when private and embedded in IPv6', () => {
    const host = privateIPv4.chain(ipv6Carrying).map((address) => `[${address}]`);
    fc.assert(fc.property(host, refusedAs(PRODUCTION)), { numRuns: propertyRuns(500) });
  });

  it('is refused when private in IPv6', () => {
    fc.assert(
      fc.property(
        privateIPv6.map((address) => `[${address}]`),
        refusedAs(PRODUCTION),
      ),
    );
  });

  it('is accepted when public, in every spelling of IPv4', () => {
    fc.assert(fc.property(publicIPv4.chain(ipv4Spelling), accepted), {
      numRuns: propertyRuns(500),
    });
  });

  it('is accepted when public in IPv6', () => {
    fc.assert(
      fc.property(
        publicIPv6.map((address) => `[${address}]`),
        accepted,
      ),
    );
  });
});

describe('a receiver in a network that the operator allowed', () => {
  it.each([
    'http://localhost:4000/hook',
    'http://app.localhost:4000/hook',
    'http://127.0.0.1:4000/hook',
    'http://127.1/hook',
    'http://[::1]:4000/hook',
    'http://[::ffff:127.0.0.1]/hook',
    'https://localhost/hook',
  ])('may be on this machine, without https, with the development defaults: %s', (url) => {
    expect(issuesOf(url, DEVELOPMENT)).toEqual([]);
  });

  it.each([
    'http://example.com/',
    'http://93.184.215.14/',
    'https://10.0.0.1/',
    'https://169.254.169.254/latest/meta-data/',
    'https://[64:ff9b::7f00:1]/',
    'https://[2002:7f00:1::]/',
    'https://db/',
    'https://vault.internal/',
  ])('is not allowed elsewhere with the development defaults: %s', (url) => {
    expect(issuesOf(url, DEVELOPMENT)).not.toEqual([]);
  });

  it('may have a private name, whose address is checked when it is resolved', () => {
    expect(issuesOf('http://receiver:8080/', COMPOSE)).toEqual([]);
    expect(issuesOf('http://receiver.internal/', COMPOSE)).toEqual([]);
    expect(issuesOf('http://172.20.0.5/', COMPOSE)).toEqual([]);
  });

  it('is not this machine unless loopback is allowed', () => {
    expect(issuesOf('http://localhost/', COMPOSE)).not.toEqual([]);
    expect(issuesOf('http://127.0.0.1/', COMPOSE)).not.toEqual([]);
  });
});
