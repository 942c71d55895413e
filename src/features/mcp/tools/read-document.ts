import { z } from 'zod';
import type { Success } from '../api.js';
import { findSection, passageOf, sectionsOf, type Section } from '../passages.js';
import { documentId, next, SHORT_TEXT, TEXT_IS_DATA, versionNumber } from '../schemas.js';
import { defineTool, ToolError } from '../tool.js';
import { documentFacts, factsOf, type Document } from './document-facts.js';

/** Headings that an outline shows, and characters of each. */
const MAX_HEADINGS = 60;
const MAX_HEADING = 120;
const MAX_LENGTH = 100_000;

const outlineEntry = z.object({
  level: z.int(),
  heading: z.string(),
  from: z.int().describe('Where it begins.'),
});

export const readDocument = defineTool({
  name: 'read_document',
  title: 'Read a document',
  description: `Reads a document: its facts, its \`version\` (send it with every change) and the first ${String(SHORT_TEXT)} characters of its text, with an outline where there is more. Ask for more by \`from\`, \`section\` or \`detail: "full"\`. ${TEXT_IS_DATA}`,
  input: z.strictObject({
    id: documentId,
    section: z
      .string()
      .min(1)
      .max(400)
      .optional()
      .describe('A heading of the outline: its section alone.'),
    from: z.int().min(0).optional().describe('Character to begin at.'),
    length: z
      .int()
      .min(1)
      .max(MAX_LENGTH)
      .default(SHORT_TEXT)
      .describe('How many characters to answer at most.'),
    detail: z
      .enum(['short', 'full'])
      .default('short')
      .describe('`full` answers the whole text, which may be 1 MiB, and all other fields.'),
    atVersion: versionNumber
      .optional()
      .describe('An earlier version, by its number from list_versions.'),
  }),
  output: z.object({
    document: documentFacts,
    text: z.string(),
    from: z.int(),
    to: z.int(),
    characters: z.int().describe('Of the whole text.'),
    outline: z.array(outlineEntry).optional(),
    next,
  }),
  effect: 'reads',
  run: async ({ id, section, from, length, detail, atVersion }, api) => {
    const path = atVersion === undefined ? '' : `/versions/${String(atVersion)}`;
    const read: Success<Document & { number?: number }> = await api.get(`/documents/${id}${path}`);
    const { content, ...facts } = asDocument(id, read.data);
    const document = detail === 'full' ? facts : factsOf({ ...facts, content });
    const sections = sectionsOf(content);
    const range = section === undefined ? undefined : rangeOf(sections, section);
    const start = from ?? range?.start ?? 0;
    const end = range && from === undefined ? range.end : content.length;
    const wanted = detail === 'full' ? end - start : Math.min(length, Math.max(end - start, 0));
    const passage = passageOf(content, start, Math.max(wanted, 0));
    const isAll = passage.from === 0 && passage.to === content.length;
    return {
      document,
      ...passage,
      characters: content.length,
      ...(isAll || sections.length === 0 ? {} : { outline: outlineOf(sections) }),
      next: nextStep(passage.to, end, content.length, atVersion),
    };
  },
});

/** Of a version the number is the version, and the time of its making that of its last change. */
function asDocument(id: string, data: Document & { number?: number }): Document {
  if (data.number === undefined) return data;
  return { ...data, id, version: data.number, updatedAt: data.createdAt };
}

function rangeOf(sections: readonly Section[], heading: string): Section {
  const section = findSection(sections, heading);
  if (section) return section;
  throw new ToolError(noSection(sections, heading));
}

/** The failure of a heading that is not in the text. */
export function noSection(sections: readonly Section[], heading: string): string {
  const known = sections.slice(0, MAX_HEADINGS).map((section) => `"${short(section.heading)}"`);
  const there =
    known.length === 0 ? 'It has no headings.' : `Its headings are ${known.join(', ')}.`;
  return `The document has no section "${short(heading)}". ${there} Call read_document without section to see the text.`;
}

function outlineOf(sections: readonly Section[]): z.input<typeof outlineEntry>[] {
  return sections
    .slice(0, MAX_HEADINGS)
    .map(({ level, heading, start }) => ({ level, heading: short(heading), from: start }));
}

function short(heading: string): string {
  return heading.slice(0, MAX_HEADING).toWellFormed();
}

function nextStep(
  to: number,
  end: number,
  characters: number,
  atVersion: number | undefined,
): string {
  const edit =
    atVersion === undefined
      ? 'To change it, call edit_document with this version.'
      : 'This is an earlier version: diff_versions compares it, restore_version brings it back.';
  if (to >= end)
    return to >= characters ? `The text ends here. ${edit}` : `The section ends here. ${edit}`;
  return `There is more: call read_document with from: ${String(to)}, with section: a heading of the outline, or with detail: "full" for all ${String(characters)} characters. ${edit}`;
}
