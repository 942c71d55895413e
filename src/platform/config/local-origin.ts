/** Where a client on this machine reaches a service that listens on this host, such as `http://localhost:3000`. */
export function localOrigin(host: string, port: number): string {
  const local = ['127.0.0.1', '0.0.0.0', '::', '::1'].includes(host);
  return `http://${local ? 'localhost' : host.includes(':') ? `[${host}]` : host}:${String(port)}`;
}
