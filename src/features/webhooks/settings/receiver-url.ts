import { isIP } from 'node:net';
import type { FieldProblem } from '../../../platform/basics/errors/app-error.js';
import { isAllowedAddress } from '../../../platform/network/allowed-address.js';
import { isInside } from '../../../platform/network/ip-networks.js';

export const MAX_URL_LENGTH = 2048;

/** Receivers that the operator allows in addition to https to the public internet. `Config` implements it. */
export interface ReceiverPolicy {
  /** Addresses and CIDR ranges that are allowed although they are not public. */
  readonly webhookAllowedNetworks: readonly string[];
  readonly webhookAllowHttp: boolean;
}

/** URL parsers disagree about backslashes, missing slashes, white space and control characters, so none are accepted. */
const PLAIN_SPELLING = /^[a-z][a-z0-9+.-]*:\/\/[^/\s\p{Cc}\\][^\s\p{Cc}\\]*$/iu;

/** A DNS name, with underscores allowed and without the final dot of a full name. */
const HOST_NAME =
  /^(?=.{1,253}$)[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?(\.[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?)*$/;

/** Private top-level domains: RFC 6761, 6762 with its appendix G, 8375, and ICANN's `internal`. */
const PRIVATE_NAME =
  /(^|\.)(localhost|localdomain|local|internal|intranet|private|corp|home|lan|home\.arpa)$/;
const LOCALHOST = /(^|\.)localhost$/;
const LOOPBACK = ['127.0.0.0/8', '::1/128'];

/**
 * Validates the URL of a receiver without connecting. Does not resolve names, because their addresses are checked on each
 * connection. Ignores values that are too long or not strings, which other checks report.
 */
export function receiverUrlProblems(value: unknown, policy: ReceiverPolicy): FieldProblem[] {
  if (typeof value !== 'string' || value.length > MAX_URL_LENGTH) return [];
  return issuesOf(value, policy).map((issue) => ({ field: 'url', issue }));
}

function issuesOf(text: string, policy: ReceiverPolicy): string[] {
  if (!PLAIN_SPELLING.test(text) || !URL.canParse(text)) {
    return ['is not a URL; write it like https://example.com/webhooks'];
  }
  const url = new URL(text);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return ['must begin with https://'];
  const host = hostOf(url);
  const issues = [
    schemeIssue(url, host, policy),
    credentialsIssue(text),
    isIP(host) === 0 ? nameIssue(host, policy) : addressIssue(host, policy),
    url.port === '0' ? 'must not use port 0, on which nothing can listen' : undefined,
    text.includes('#')
      ? 'must not have a fragment, which is never sent; remove # and everything after it'
      : undefined,
  ];
  return issues.filter((issue) => issue !== undefined);
}

/** Returns the normalized host. URL has already converted every spelling of an IPv4 address to four decimal numbers. */
function hostOf({ hostname }: URL): string {
  return hostname.startsWith('[') ? hostname.slice(1, -1) : hostname.replace(/\.$/, '');
}

function schemeIssue(url: URL, host: string, policy: ReceiverPolicy): string | undefined {
  if (url.protocol === 'https:' || policy.webhookAllowHttp) return undefined;
  const opened = isInside(host, policy.webhookAllowedNetworks) || isOpenLocalhost(host, policy);
  return opened ? undefined : 'must begin with https://; plain http is not encrypted';
}

function credentialsIssue(text: string): string | undefined {
  const authority = text.split(/[/?#]/)[2] ?? '';
  return authority.includes('@')
    ? 'must not contain a user name or password; deliveries are signed with the secret instead'
    : undefined;
}

function addressIssue(address: string, policy: ReceiverPolicy): string | undefined {
  if (isAllowedAddress(address, policy.webhookAllowedNetworks)) return undefined;
  return `has the address ${address}, which is not public; ${ONLY_PUBLIC}`;
}

function nameIssue(name: string, policy: ReceiverPolicy): string | undefined {
  if (!HOST_NAME.test(name)) return 'has a host that is not a valid name; check its spelling';
  const isPrivate = PRIVATE_NAME.test(name) || !name.includes('.');
  if (!isPrivate || isOpenLocalhost(name, policy)) return undefined;
  // Another private name may resolve to an address in an allowed network. That is checked on connection.
  if (!LOCALHOST.test(name) && opensMoreThanLoopback(policy)) return undefined;
  return `is a host in a private network; ${ONLY_PUBLIC}`;
}

const ONLY_PUBLIC =
  'use a public host, or ask the operator to allow the network with WEBHOOK_ALLOWED_NETWORKS';

function isOpenLocalhost(name: string, { webhookAllowedNetworks }: ReceiverPolicy): boolean {
  const open = ['127.0.0.1', '::1'].some((address) => isInside(address, webhookAllowedNetworks));
  return LOCALHOST.test(name) && open;
}

function opensMoreThanLoopback({ webhookAllowedNetworks }: ReceiverPolicy): boolean {
  return webhookAllowedNetworks.some((network) => !isInside(network.replace(/\/.*/, ''), LOOPBACK));
}
