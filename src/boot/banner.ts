/** What a newcomer reads after `npm start`: where the service is, and on the very first start a key to try it with. */
export function banner(origin: string, firstKey: string | undefined): string {
  const baseUrl = `${origin}/v1`;
  const lines = [
    '',
    'The Document Service is running.',
    '',
    `  Base URL   ${baseUrl}`,
    `  API docs   ${origin}/docs`,
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
