import { z } from 'zod';
import type { ModelEdit } from './place-edits.js';

/** What a model is asked for, as the JSON schema that it is sent: everything required, nothing beside. */
export const EDITS_SCHEMA = z.object({
  edits: z.array(
    z.object({
      paragraph: z.number().int().describe('The number of the paragraph'),
      find: z.string().describe('The passage to replace, copied exactly from the paragraph'),
      before: z
        .string()
        .describe(
          'A few words right before the passage, where the paragraph has it more than once',
        ),
      replace: z.string().describe('What stands there instead'),
      reason: z.string().describe('Why, in one short sentence'),
    }),
  ),
});

export const TEXT_SCHEMA = z.object({ text: z.string().describe('The text that was asked for') });

/** What is taken: a little more than what is asked for, and nothing that would have to be guessed. */
const TAKEN_EDITS = z.object({
  edits: z
    .array(
      z.object({
        paragraph: z.number().int().catch(0),
        find: z.string(),
        before: z.string().nullish(),
        replace: z.string(),
        reason: z.string().nullish(),
      }),
    )
    .max(1_000),
});

export type Answer<Value> = { value: Value } | { problem: string };

export function readEdits(text: string): Answer<ModelEdit[]> {
  const read = readJson(text, TAKEN_EDITS);
  if ('problem' in read) return read;
  return {
    value: read.value.edits.map((edit) => ({
      ...edit,
      before: edit.before ?? '',
      reason: edit.reason ?? '',
    })),
  };
}

export function readText(text: string): Answer<string> {
  const read = readJson(text, TEXT_SCHEMA);
  return 'problem' in read ? read : { value: read.value.text };
}

/** The whole answer is JSON, at most within the fence that models like to put around it. */
function readJson<Value>(text: string, schema: z.ZodType<Value>): Answer<Value> {
  const fenced = /^\s*```(?:json)?\s*\n([^]*?)\n?\s*```\s*$/.exec(text);
  let json: unknown;
  try {
    json = JSON.parse(fenced?.[1] ?? text);
  } catch {
    return { problem: 'it is not JSON' };
  }
  const parsed = schema.safeParse(json);
  if (parsed.success) return { value: parsed.data };
  const [issue] = parsed.error.issues;
  const where = issue?.path.join('.');
  return { problem: `${where ? `${where} ` : 'it '}does not fit the schema` };
}
