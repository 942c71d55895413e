import { isLoopback } from '../../../platform/http/oauth-issuer.js';

export const MAX_URI_CHARACTERS = 2_048;

/**
 * Schemes that do not lead to an app. Some of them run code or read files in the browser that follows the redirect.
 */
const REFUSED_SCHEMES: ReadonlySet<string> = new Set(
  `about blob chrome cid content data edge file filesystem ftp intent jar javascript mailto resource sms tel urn
   vbscript view-source ws wss`
    .split(/\s+/)
    .map((scheme) => `${scheme}:`),
);

/** Where a redirect leads, as the consent page shows it. */
export interface RedirectTarget {
  /** Host and port; `null` for the scheme of an app. */
  host: string | null;
  /** True for an app on the person's own device. */
  isLoopback: boolean;
  /** Such as `cursor`; `null` for a web address. */
  scheme: string | null;
}

/** Returns what is wrong with a redirect URI, or `undefined`. It can be HTTPS, loopback, or the scheme of an app. */
export function redirectProblem(text: string): string | undefined {
  if (text.length > MAX_URI_CHARACTERS) {
    return `is longer than ${String(MAX_URI_CHARACTERS)} characters`;
  }
  // A URL parser removes line breaks and tabs, which could hide a scheme.
  if (!/^[\x21-\x7e]+$/.test(text) || !URL.canParse(text)) {
    return 'is not a URL in ASCII characters';
  }
  const { protocol, hostname, username, password } = new URL(text);
  if (text.includes('#')) return 'has a fragment';
  if (username !== '' || password !== '') return 'has a user name';
  if (protocol === 'http:') {
    return isLoopback(hostname) ? undefined : 'uses http for a host that is not loopback';
  }
  return REFUSED_SCHEMES.has(protocol) ? `has the scheme ${protocol.slice(0, -1)}` : undefined;
}

/** True if a client with these redirect URIs can use this one. The port of a loopback address can differ (RFC 8252). */
export function isRegistered(redirectUri: string, registered: readonly string[]): boolean {
  if (registered.includes(redirectUri)) return true;
  const wanted = withoutPort(redirectUri);
  return wanted !== undefined && registered.some((one) => withoutPort(one) === wanted);
}

/** Returns a loopback URI without its port, or `undefined` for any other URI. */
function withoutPort(uri: string): string | undefined {
  const url = new URL(uri);
  if (url.protocol !== 'http:') return undefined;
  url.port = '';
  return url.href;
}

/** Returns where a valid redirect URI leads. */
export function redirectTarget(uri: string): RedirectTarget {
  const { protocol, host, hostname } = new URL(uri);
  if (protocol !== 'https:' && protocol !== 'http:') {
    return { host: null, isLoopback: false, scheme: protocol.slice(0, -1) };
  }
  return { host, isLoopback: isLoopback(hostname), scheme: null };
}
