import type { TemplateFields } from './template.js';
import { readVariables, type DeclaredVariable } from './variables.js';

/** A starter template as it is written in code. */
interface Starter extends Pick<TemplateFields, 'type' | 'name' | 'title' | 'content'> {
  description: string;
  variables: readonly DeclaredVariable[];
  tags: readonly string[];
  metadata?: Record<string, string>;
}

/** The template of a starter; metadata are its tags and what else it says. */
export function starter({ variables, tags, metadata = {}, ...fields }: Starter): TemplateFields {
  return {
    ...fields,
    variables: readVariables(variables),
    metadata: JSON.stringify({ tags, ...metadata }),
    aiSettings: '{}',
  };
}
