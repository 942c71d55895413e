import type { IncomingMessage, ServerResponse } from 'node:http';
import helmet from 'helmet';

/** The API's answers are data: nothing in them may run, be framed or be guessed to be something else. */
const decide = helmet({
  contentSecurityPolicy: {
    useDefaults: false,
    directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
  },
  // Any site may read an answer it has a key for, where CORS_ORIGINS lets it.
  crossOriginResourcePolicy: { policy: 'cross-origin' },
  crossOriginOpenerPolicy: false,
  xDownloadOptions: false,
  xPermittedCrossDomainPolicies: false,
  dnsPrefetchControl: false,
  originAgentCluster: false,
  xXssProtection: false,
});

/** Helmet's decision is the same for every answer, so it is asked once, at boot. */
const HEADERS = recordHeaders();

export function setSecurityHeaders(_: unknown, response: ServerResponse): void {
  for (const [name, value] of HEADERS) response.setHeader(name, value);
}

function recordHeaders(): [string, string][] {
  const recorded: [string, string][] = [];
  const recorder = {
    setHeader: (name: string, value: string) => recorded.push([name, value]),
    removeHeader: () => undefined,
  };
  decide({} as IncomingMessage, recorder as unknown as ServerResponse, () => undefined);
  return recorded;
}
