import { resolve } from 'node:path';
import { parseArgs } from 'node:util';

/** The folder that the service serves at /docs. */
const SERVED = 'docs-site/dist';

/**
 * Returns the options of a build.
 *
 * @param {string[]} args Arguments of `npm run site --`
 */
export function readOptions(args) {
  const { values } = parseArgs({
    args,
    options: {
      out: { type: 'string', default: SERVED },
      base: { type: 'string' },
      url: { type: 'string' },
      versions: { type: 'string' },
      serve: { type: 'boolean', default: false },
      port: { type: 'string', default: '8080' },
    },
  });
  // The service serves its own build. Other builds are static files for any web server.
  const isStatic = values.serve || resolve(values.out) !== resolve(SERVED);
  const base = values.base ?? (isStatic ? '/' : '/docs/');
  if (!/^\/([\w.~-]+\/)*$/.test(base))
    throw new Error(`--base ${base} must start and end with a slash, such as /1.4/.`);
  if (values.url !== undefined && !/^https?:\/\/[^/]+$/.test(values.url))
    throw new Error(`--url ${values.url} must be an origin, such as https://docs.example.com.`);
  return {
    out: values.out,
    base,
    origin: values.url,
    versions: values.versions,
    isStatic,
    serve: values.serve,
    port: Number(values.port),
  };
}
