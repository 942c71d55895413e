import { existsSync } from 'node:fs';
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
const pages = new Map(operationPages().map(({ file, text }) => [file, text]));
const pageOf = (operationId: string) => pages.get(operationPageFile(operationId)) ?? '';

describe('the pages of operations', () => {
  it.each(operations)(
    '$operationId: shows the route, the clients, samples and the answer',
    (operation) => {
      const { operationId, method, path } = operation;
      const page = pageOf(operationId);
      expect(page).toContain(`\`${method} ${path}\``);
      expect(page).toContain(`\`client.${SDK_OPERATIONS[operationId] ?? ''}()\``);
      for (const language of ['sh', 'ts', 'python']) expect(page).toContain(`\`\`\`${language}\n`);
      expect(page).toContain('## Response');
    },
  );

  it('contain no words of the generator', () => {
    const broken = /\bundefined\b|\bNaN\b|\[object Object\]|anyOf|oneOf|\$ref/;
    const found = [...pages].filter(([, text]) => broken.test(text)).map(([file]) => file);
    expect(found).toEqual([]);
  });

  it('have inputs of samples only for operations that exist', () => {
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
