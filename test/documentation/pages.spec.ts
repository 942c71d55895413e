import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import operationPages from '../../docs-site/pages/operations.mjs';
import {
  operationPageFile,
  operationsOf,
  readApiDocument,
} from '../../docs-site/reference/api-document.mjs';
import { ERROR_KINDS } from '../../docs-site/reference/errors.mjs';
import { SAMPLE_INPUTS } from '../../docs-site/reference/sample-inputs.mjs';
import { SDK_OPERATIONS } from '../../scripts/sdk-operations.mjs';
import { ERROR_STATUS } from '../../src/platform/http/envelope/envelope.js';

const operations = operationsOf(readApiDocument());
const generated = new Map(operationPages().map(({ file, text }) => [file, text]));

function filesIn(folder: string, extension: RegExp): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => extension.test(file) && !file.endsWith('.spec.ts'))
    .map((file) => join(folder, file));
}

describe('the pages of operations', () => {
  it.each(operations)(
    '$operationId: shows the route, the clients, samples and the response',
    ({ operationId, method, path }) => {
      const page = generated.get(operationPageFile(operationId)) ?? '';
      const call = `\`client.${SDK_OPERATIONS[operationId] ?? ''}()\``;
      const languages = ['sh', 'ts', 'python'].map((language) => `\`\`\`${language}\n`);
      for (const part of [`\`${method} ${path}\``, call, ...languages, '## Response'])
        expect(page).toContain(part);
    },
  );

  it('contain no words of the generator, and no samples of unknown operations', () => {
    const broken = /\bundefined\b|\bNaN\b|\[object Object\]|anyOf|oneOf|\$ref/;
    expect([...generated].filter(([, text]) => broken.test(text)).map(([file]) => file)).toEqual(
      [],
    );
    const known = operations.map(({ operationId }) => operationId);
    expect(Object.keys(SAMPLE_INPUTS).filter((name) => !known.includes(name))).toEqual([]);
  });

  it('link each status to the page of its kind of error', () => {
    for (const [kind, { status }] of Object.entries(ERROR_STATUS)) {
      const name = kind.replaceAll('_', '-');
      expect(ERROR_KINDS[status]).toBe(name);
      expect(existsSync(`docs/errors/${name}.md`)).toBe(true);
    }
  });
});

/** Returns the rows of all tables of a text with their line numbers, and empty lines between tables. */
function tableRows(text: string): { line: number; row: string }[] {
  let isCode = false;
  return text.split('\n').map((whole, index) => {
    if (/^\s*(```|~~~)/.test(whole)) isCode = !isCode;
    const row = whole.trim();
    return { line: index + 1, row: isCode || !row.startsWith('|') ? '' : row };
  });
}

/** Splits a row as GitHub does: every unescaped `|` ends a cell, even in code. */
const cellsIn = (row: string) => row.replace(/^\||\|$/g, '').split(/(?<!\\)\|/);

describe('the tables of the documentation', () => {
  it('have as many cells in each row as headings', () => {
    const files = [
      ...filesIn('docs', /\.md$/),
      'README.md',
      'CHANGELOG.md',
      'packages/client/README.md',
    ];
    const wrong = files.flatMap((file) => {
      const rows = tableRows(readFileSync(file, 'utf8'));
      return rows
        .filter(({ row }, index) => {
          const before = rows[index - 1]?.row ?? '';
          return row !== '' && before !== '' && cellsIn(row).length !== cellsIn(before).length;
        })
        .map(({ line }) => `${file}:${String(line)}`);
    });
    expect(wrong).toEqual([]);
  });
});

/** The sources, with strings that continue on the next line joined, so that a message is in one piece. */
const sources = ['src', 'packages/embedded-postgres/src', 'scripts']
  .flatMap((folder) => filesIn(folder, /\.(ts|mjs)$/))
  .map((file) => readFileSync(file, 'utf8'))
  .join('\n')
  .replaceAll(/['`] \+\s+['`]/g, '')
  .replaceAll('${FILE}', '.env')
  .replaceAll("\\'", "'");

/** Returns the first cells of the tables that have the heading "Message". */
function messagesIn(file: string): string[] {
  let isTable = false;
  return tableRows(readFileSync(file, 'utf8')).flatMap(({ row }) => {
    const first = cellsIn(row)[0]?.trim() ?? '';
    isTable = row !== '' && (isTable || first === 'Message');
    return isTable && first !== 'Message' && !/^-+$/.test(first) ? [first] : [];
  });
}

describe.each(['troubleshoot-start', 'logs', 'log-warnings'])('docs/operate/%s.md', (page) => {
  it('lists only messages that the service prints, where … stands for what differs', () => {
    const messages = messagesIn(`docs/operate/${page}.md`);
    expect(messages.length).toBeGreaterThan(10);
    const partsOf = (message: string) =>
      message.split('…').map((part) => part.replace(/^[ ;,]+|[ (]+$/g, ''));
    const isUnknown = (part: string) => part.length > 3 && !sources.includes(part);
    expect(messages.filter((message) => partsOf(message).some(isUnknown))).toEqual([]);
  });
});
