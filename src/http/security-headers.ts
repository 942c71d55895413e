import helmet from 'helmet';

/** The API's answers are data: nothing in them may run, be framed or be guessed to be something else. */
export const securityHeaders = helmet({
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
