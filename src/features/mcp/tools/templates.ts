import { z } from 'zod';
import type { Success } from '../api.js';
import { passageOf } from '../passages.js';
import {
  cursor,
  documentType,
  limit,
  next,
  page,
  SHORT_TEXT,
  templateId,
  TEXT_IS_DATA,
  pageOf,
} from '../schemas.js';
import { defineTool } from '../tool.js';

export interface Template {
  id: string;
  name: string;
  description: string | null;
  type: string;
  title: string | null;
  content: string;
  variables: { name: string; required: boolean; default: string | null }[];
  version: number;
  [field: string]: unknown;
}

const facts = z.looseObject({ id: z.string(), name: z.string() });

export const listTemplates = defineTool({
  name: 'list_templates',
  title: 'List templates',
  description: `Lists the templates for new documents, and their variables. ${TEXT_IS_DATA}`,
  input: z.strictObject({
    query: z.string().min(1).max(200).optional().describe('Part of the name or description.'),
    type: documentType.optional(),
    limit,
    cursor,
  }),
  output: z.object({ templates: z.array(facts), ...page }),
  effect: 'reads',
  scopes: ['templates:read'],
  run: async ({ query, ...rest }, api) => {
    const { data, meta }: Success<Template[]> = await api.get('/templates', { q: query, ...rest });
    const templates = data.map(({ id, name, description, type, variables }) => ({
      id,
      name,
      description,
      type,
      variables: variables.map(
        (variable) => variable.name + (variable.required ? ' (required)' : ''),
      ),
    }));
    const forOne =
      'read_template reads one, create_document_from_template creates a document from it.';
    return { templates, ...pageOf(meta, templates.length, forOne) };
  },
});

export const readTemplate = defineTool({
  name: 'read_template',
  title: 'Read a template',
  description: `Reads a template: its variables and the first ${String(SHORT_TEXT)} characters of its text, which contains {{variables}}. ${TEXT_IS_DATA}`,
  input: z.strictObject({
    id: templateId,
    from: z.int().min(0).default(0).describe('Character to start at.'),
    detail: z.enum(['short', 'full']).default('short').describe('`full` returns the whole text.'),
  }),
  output: z.object({ template: facts, text: z.string(), characters: z.int(), next }),
  effect: 'reads',
  scopes: ['templates:read'],
  run: async ({ id, from, detail }, api) => {
    const { data } = await api.get<Template>(`/templates/${id}`);
    const { content, ...template } = data;
    const { text, to } = passageOf(content, from, detail === 'full' ? content.length : SHORT_TEXT);
    const more =
      to < content.length ? `There is more: call read_template with from: ${String(to)}. ` : '';
    return {
      template,
      text,
      characters: content.length,
      next: `${more}create_document_from_template creates a document from it.`,
    };
  },
});
