import { isIP } from 'node:net';

/**
 * The address a request came from; `null` where a trusted proxy names something that is none, such as `unknown`. That
 * is a text of a client, and is neither kept nor compared with anything.
 */
export function clientAddressOf({ ip }: { ip?: string | undefined }): string | null {
  // A zone (fe80::1%eth0) names an interface of one host.
  const [address = ''] = ip?.split('%') ?? [];
  return isIP(address) === 0 ? null : address;
}
