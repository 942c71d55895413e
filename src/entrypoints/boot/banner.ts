import { resolve } from 'node:path';
import { DEFAULT_DATA_DIR } from '../../platform/config/environment.js';

interface BannerOptions {
  /** An API key, on the first start only. */
  firstKey: string | undefined;
  /** Link for the first user. Undefined once it has been used. */
  dashboard: string | undefined;
  /** `DATA_DIR`, which the printed command needs, too. */
  dataDir: string;
}

/** Returns the text printed after `npm start`: the service's URLs and first steps. */
export function banner(origin: string, { firstKey, dashboard, dataDir }: BannerOptions): string {
  const baseUrl = `${origin}/v1`;
  const lines = [
    '',
    'The Document Service is running.',
    '',
    `  Base URL   ${baseUrl}`,
    `  API docs   ${origin}/docs`,
    `  Dashboard  ${dashboard ?? `${origin}/dashboard/`}`,
  ];
  if (firstKey === undefined) {
    lines.push(
      '',
      `To create another API key: ${dataDirAssignment(dataDir)}npm run -s cli -- keys create --email you@example.com`,
    );
  } else {
    lines.push(
      `  API key    ${firstKey}`,
      '',
      'The key is shown only once. Create your first document with it:',
      '',
      `  curl ${baseUrl}/documents \\`,
      `    -H 'Authorization: Bearer ${firstKey}' \\`,
      `    -H 'Content-Type: application/json' \\`,
      `    -d '{"title": "My first document", "content": "Hello, world."}'`,
    );
  }
  return `${lines.join('\n')}\n\n`;
}

/** Returns the assignment that selects the same data folder in a shell; empty for the default. */
function dataDirAssignment(dataDir: string): string {
  if (dataDir === DEFAULT_DATA_DIR) return '';
  return `DATA_DIR='${resolve(dataDir).replaceAll("'", `'\\''`)}' `;
}
