import { presentPerson, type Person } from '../../auth/person.js';
import { sourceMembers } from '../../envelope/record-fields.js';
import { encodeId } from '../../identifiers/identifiers.js';
import type { TemplateField, TemplateFields } from '../template.js';

/** What a template was at one of its versions. */
export interface ArchivedTemplateState extends TemplateFields {
  /** Fields in which it differs from the version before; empty for the first. */
  changes: readonly TemplateField[];
  /** Who made this version; null for the first of a template that came with the account. */
  author: Person | null;
}

/** A template as an archive holds it, with its current version; those before follow it, the newest first. */
export interface ArchivedTemplate extends ArchivedTemplateState {
  id: string;
  version: number;
  /** Null for one that came with the account. */
  createdBy: Person | null;
  createdAt: Date;
  updatedAt: Date;
}

/** A version that a later one has replaced. */
export interface ArchivedTemplateVersion extends ArchivedTemplateState {
  templateId: string;
  number: number;
  createdAt: Date;
}

/** The line of a template: one JSON object without line breaks. */
export function templateLine(template: ArchivedTemplate): string {
  const { createdBy } = template;
  const head = JSON.stringify({
    record: 'template',
    id: encodeId('template', template.id),
    version: template.version,
    createdBy: createdBy && presentPerson(createdBy),
    createdAt: template.createdAt.toISOString(),
    updatedAt: template.updatedAt.toISOString(),
  });
  return withState(head, template);
}

/** The line of a version. */
export function templateVersionLine(version: ArchivedTemplateVersion): string {
  const head = JSON.stringify({
    record: 'templateVersion',
    templateId: encodeId('template', version.templateId),
    number: version.number,
    createdAt: version.createdAt.toISOString(),
  });
  return withState(head, version);
}

function withState(head: string, state: ArchivedTemplateState): string {
  const { name, description, type, title, content, variables, changes, author } = state;
  const rest = JSON.stringify({
    name,
    description,
    type,
    title,
    content,
    variables,
    changes,
    author: author && presentPerson(author),
  });
  return (
    `${head.slice(0, -1)},${rest.slice(1, -1)},` +
    `${sourceMembers('metadata', state.metadata)},${sourceMembers('aiSettings', state.aiSettings)}}`
  );
}
