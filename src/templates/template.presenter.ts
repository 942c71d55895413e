import { encodeId } from '../identifiers/identifiers.js';
import type { Filled } from './fill-template.js';
import type { Person, Template, TemplateFields, TemplateVersion } from './template.js';

/**
 * The one list of a template's public fields, as JSON text: open objects go out to the letter as they came in. In a list
 * a template has no content.
 */
export function presentTemplate(template: Omit<Template, 'content'> & Content): string {
  const { id, version, createdAt, updatedAt, createdBy } = template;
  return (
    `{"id":"${encodeId('template', id)}",${fields(template)},"version":${String(version)},` +
    `"createdAt":"${createdAt.toISOString()}","updatedAt":"${updatedAt.toISOString()}","createdBy":${person(createdBy)}}`
  );
}

/** A version of a template; in a list without its content. */
export function presentVersion(version: Omit<TemplateVersion, 'content'> & Content): string {
  const { number, changes, author, createdAt } = version;
  return (
    `{"number":${String(number)},${fields(version)},"changes":${JSON.stringify(changes)},` +
    `"author":${person(author)},"createdAt":"${createdAt.toISOString()}"}`
  );
}

/** What a document made from a template would begin with. */
export function presentPreview({ fields: filled, missing }: Filled): string {
  return (
    `{"title":${JSON.stringify(filled.title)},"type":"${filled.type}","content":${JSON.stringify(filled.content)},` +
    `"metadata":${filled.metadata},"aiSettings":${filled.aiSettings},"missing":${JSON.stringify(missing)}}`
  );
}

/** Strong entity tag of a template's version. */
export function templateETag({ version }: Pick<Template, 'version'>): string {
  return `"${String(version)}"`;
}

type Content = Partial<Pick<TemplateFields, 'content'>>;

function fields(of: Omit<TemplateFields, 'content'> & Content): string {
  const content = of.content === undefined ? '' : `"content":${JSON.stringify(of.content)},`;
  return (
    `"name":${JSON.stringify(of.name)},"description":${JSON.stringify(of.description)},"type":"${of.type}",` +
    `"title":${JSON.stringify(of.title)},${content}"variables":${JSON.stringify(of.variables)},` +
    `"metadata":${of.metadata},"aiSettings":${of.aiSettings}`
  );
}

function person(of: Person | null): string {
  if (of === null) return 'null';
  return JSON.stringify({ id: encodeId('user', of.id), name: of.name, email: of.email });
}
