interface ForNewcomers {
  /** An API key, on the first start only. */
  firstKey: string | undefined;
  /** Link for the first user. Undefined once it has been used. */
  dashboard: string | undefined;
}

/** Returns the text printed after `npm start`: the service's URLs and first steps. */
export function banner(origin: string, { firstKey, dashboard }: ForNewcomers): string {
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
      'To create another API key: npm run -s cli -- keys create --email you@example.com',
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
