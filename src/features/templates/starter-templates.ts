import { readFileSync } from 'node:fs';
import type { TemplateFields } from './template-fields.js';
import { readVariables, type DeclaredVariable } from './variables.js';

/** A starter template as `starters/index.json` describes it; `file` beside it holds the content. */
interface Starter extends Pick<TemplateFields, 'type' | 'name' | 'title'> {
  file: string;
  description: string;
  variables: readonly DeclaredVariable[];
  tags: readonly string[];
  metadata?: Record<string, string>;
}

/** The templates that every account begins with, one for each type of document. */
export const STARTER_TEMPLATES: readonly TemplateFields[] = (
  JSON.parse(read('index.json')) as readonly Starter[]
).map(templateOf);

/** The template of a starter; its metadata are the tags and what else the starter says. */
function templateOf({ file, variables, tags, metadata = {}, ...fields }: Starter): TemplateFields {
  return {
    ...fields,
    content: read(file),
    variables: JSON.stringify(readVariables(variables)),
    metadata: JSON.stringify({ tags, ...metadata }),
    aiSettings: '{}',
  };
}

function read(file: string): string {
  return readFileSync(new URL(`starters/${file}`, import.meta.url), 'utf8');
}
