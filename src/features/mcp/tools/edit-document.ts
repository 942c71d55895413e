import { z } from 'zod';
import { applyEdits, type TextEdit } from '../../content/text/text-edits.js';
import { ifMatch, type Api, type Success } from '../api.js';
import { findSection, sectionsOf } from '../passages.js';
import { documentId, versionSeen } from '../schemas.js';
import { defineTool, ToolError } from '../tool.js';
import { changed, changedDocument, type Document } from './document-facts.js';
import { noSection } from './read-document.js';
import { settable } from './write-documents.js';

const MAX_EDITS = 100;
/** Of a document, as the API has it. */
const MAX_CONTENT_BYTES = 1024 ** 2;

const all = z
  .boolean()
  .optional()
  .describe('Every occurrence; otherwise the text must occur exactly once.');
const find = z.string().min(1).describe('Exact text of the document, line breaks and all.');
const text = z.string();
const heading = z.string().min(1).max(400).describe('A heading of the document.');

const edit = z.discriminatedUnion('op', [
  z.strictObject({ op: z.literal('replace'), find, with: z.string(), all }),
  z.strictObject({ op: z.literal('delete'), find, all }),
  z.strictObject({ op: z.literal('append'), text }),
  z.strictObject({
    op: z.literal('insert'),
    at: z.union([z.enum(['start', 'end']), z.int().min(0)]).describe('A character, or an end.'),
    text,
  }),
  z.strictObject({ op: z.literal('append_to_section'), heading, text }),
  z.strictObject({ op: z.literal('replace_section'), heading, text }),
]);
type Edit = z.output<typeof edit>;

/** Edits that the API does itself, so that the text need not be read. */
function isPlain(one: Edit): one is Edit & TextEdit {
  return one.op !== 'append_to_section' && one.op !== 'replace_section';
}

export const editDocument = defineTool({
  name: 'edit_document',
  title: 'Edit a document',
  description:
    'Changes parts of a document, all or nothing, as one new version. `edits` change the text in order: replace or delete exact text, append, insert, append_to_section (at the end of the section under a heading), replace_section (all below a heading; the heading stays). Beside them title, type, status and metadata can be set. Read the document first and send its `version`; when somebody has changed it since, nothing is done and you are told to read again.',
  input: z.strictObject({
    id: documentId,
    version: versionSeen,
    edits: z.array(edit).min(1).max(MAX_EDITS).optional(),
    ...settable,
  }),
  output: changedDocument,
  effect: 'changes',
  run: async ({ id, version, edits, ...fields }, api) => {
    if (edits === undefined && Object.keys(fields).length === 0) {
      throw new ToolError(
        'There is nothing to change. Give edits, title, type, status or metadata, and call edit_document again.',
      );
    }
    const answer = await change(api, id, version, { edits, fields });
    const made = answer.data.version;
    const next =
      made === version
        ? 'Nothing was different, so there is no new version.'
        : `Send version: ${String(made)} with your next change; diff_versions shows what this one did.`;
    return changed(answer, next);
  },
});

interface Change {
  edits: Edit[] | undefined;
  fields: Record<string, unknown>;
}

async function change(
  api: Api,
  id: string,
  version: number,
  { edits, fields }: Change,
): Promise<Success<Document>> {
  const headers = ifMatch(version);
  const path = `/documents/${id}`;
  if (edits === undefined) return api.patch(path, { body: fields, headers });
  if (Object.keys(fields).length === 0 && edits.every(isPlain)) {
    return api.post(`${path}/edits`, { body: { edits }, headers });
  }
  const { data } = await api.get<Document>(path);
  // Of another version the edits would be told to be wrong, though the version is: the write says so.
  const content = data.version === version ? await edited(data.content, edits) : data.content;
  return api.patch(path, { body: { ...fields, content }, headers });
}

async function edited(before: string, edits: readonly Edit[]): Promise<string> {
  let content = before;
  for (const [index, one] of edits.entries()) {
    content = isPlain(one) ? await plainlyEdited(content, one, index) : sectionEdited(content, one);
  }
  return content;
}

async function plainlyEdited(content: string, one: TextEdit, index: number): Promise<string> {
  const outcome = await applyEdits(content, [one], MAX_CONTENT_BYTES);
  if (outcome.done) return outcome.text;
  const { field, issue } = outcome.problem;
  const named = field.replace('edits[0]', `edits[${String(index)}]`);
  throw new ToolError(`${named} ${issue}. Correct this, then call edit_document again.`);
}

function sectionEdited(content: string, one: Exclude<Edit, TextEdit>): string {
  const sections = sectionsOf(content);
  const section = findSection(sections, one.heading);
  if (!section) throw new ToolError(noSection(sections, one.heading));
  const from = one.op === 'replace_section' ? section.bodyStart : section.end;
  return joined(content.slice(0, from), one.text, content.slice(section.end));
}

/** The three with an empty line between them. */
function joined(before: string, text: string, after: string): string {
  const middle = text.replace(/^\n{1,2}/, '').trimEnd();
  const parts = [before.trimEnd(), middle, after].filter((part) => part !== '');
  return after === '' ? `${parts.join('\n\n')}\n` : parts.join('\n\n');
}
