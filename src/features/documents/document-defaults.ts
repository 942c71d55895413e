import type { RequestContext } from '../access/auth/request-context.js';
import { sourceText } from '../../platform/http/bodies/json-text.js';
import type { DocumentBeginnings, TemplateUse } from '../templates/template-filling.js';
import {
  initialOf,
  PATCHABLE_FIELDS,
  type DocumentFields,
  type PatchableField,
} from './document-fields.js';
import type { CreateDocumentDto, PatchDocumentDto } from './dto/write-document.dto.js';

/** What a body can say of a document that it makes or replaces. */
type GivenFields = Pick<CreateDocumentDto, Exclude<PatchableField, 'status'>>;

const GIVEN_FIELDS = PATCHABLE_FIELDS.filter((name) => name !== 'status');
const FROM_TEMPLATE = ['title', 'content', 'metadata'] as const;

/** What a new document asks of a template; `undefined` when it names none. */
export function templateUse(
  body: CreateDocumentDto,
  context: RequestContext,
): TemplateUse | undefined {
  const { templateId, templateVariables } = body;
  // Answers say `templateId: null`; sent back, it means none.
  if (templateId == null) return undefined;
  return {
    accountId: context.principal.accountId,
    templateId,
    templateVariables,
    taken: new Set(FROM_TEMPLATE.filter((field) => body[field] === undefined)),
  };
}

/** What a document begins with: what was sent, else what the template gives, else the defaults. It is a draft. */
export function withDefaults(body: GivenFields, template?: DocumentBeginnings): DocumentFields {
  const fields = GIVEN_FIELDS.map((name) => [
    name,
    storedForm(body[name]) ??
      (template as Partial<DocumentFields> | undefined)?.[name] ??
      initialOf(name),
  ]);
  return { ...(Object.fromEntries(fields) as DocumentFields), status: 'draft' };
}

/** What was sent as it is stored: an open object is its source text. */
export function storedForm(value: PatchDocumentDto[PatchableField]): string | null | undefined {
  return typeof value === 'object' && value !== null ? sourceText(value) : value;
}
