interface ForNewcomers {
  /** On the very first start, a key to try the service with. */
  firstKey: string | undefined;
  /** Until it was used, a link by which the first user begins. */
  dashboard: string | undefined;
}

/** What a newcomer reads after `npm start`: where the service is, and how to begin. */
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
      'Make another API key with: npm run -s cli -- keys create --email you@example.com',
    );
  } else {
    lines.push(
      `  API key    ${firstKey}`,
      '',
      'The key is shown this once. Create your first document with it:',
      '',
      `  curl ${baseUrl}/documents \\`,
      `    -H 'Authorization: Bearer ${firstKey}' \\`,
      `    -H 'Content-Type: application/json' \\`,
      `    -d '{"title": "My first document", "content": "Hello, world."}'`,
    );
  }
  return `${lines.join('\n')}\n\n`;
}
