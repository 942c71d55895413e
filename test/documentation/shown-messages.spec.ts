import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const SOURCES = ['src', 'packages/embedded-postgres/src', 'scripts'];
const PAGES = ['troubleshoot-start', 'logs', 'log-warnings'].map(
  (page) => `docs/operate/${page}.md`,
);

/** Returns the sources with strings that continue on the next line joined, so that a sentence is in one piece. */
const sources = SOURCES.flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.(ts|mjs)$/.test(file) && !file.endsWith('.spec.ts'))
    .map((file) => readFileSync(path.join(folder, file), 'utf8')),
)
  .join('\n')
  .replaceAll(/['`] \+\s+['`]/g, '')
  .replaceAll('${FILE}', '.env')
  .replaceAll("\\'", "'");

/** Returns the messages in the first columns of the tables that have the heading "Message". */
function messagesOf(file: string): string[] {
  let isTable = false;
  return readFileSync(file, 'utf8')
    .split('\n')
    .flatMap((line) => {
      if (!line.startsWith('|')) isTable = false;
      const [, first = ''] = line.split('|').map((cell) => cell.trim());
      if (first === 'Message') isTable = true;
      return isTable && first !== 'Message' && !/^-+$/.test(first) ? [first] : [];
    });
}

describe.each(PAGES)('%s', (file) => {
  it('lists only messages that the service prints, where … stands for what differs', () => {
    const messages = messagesOf(file);
    expect(messages.length).toBeGreaterThan(10);
    const unknown = messages.filter((message) =>
      message
        .split('…')
        .map((part) => part.replace(/^[ ;,]+|[ (]+$/g, ''))
        .filter((part) => part.length > 3)
        .some((part) => !sources.includes(part)),
    );
    expect(unknown).toEqual([]);
  });
});
