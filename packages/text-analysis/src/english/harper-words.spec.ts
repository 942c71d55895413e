import { readFileSync } from 'node:fs';

it('The words of Harper’s dictionary come from the installed version', () => {
  const file = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
  const { dependencies } = JSON.parse(file) as { dependencies: Record<string, string> };
  const words = readFileSync(new URL('harper-words.txt', import.meta.url), 'utf8');
  expect(words).toContain(`Made from harper.js ${dependencies['harper.js'] ?? ''} `);
});
