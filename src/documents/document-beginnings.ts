import type { Cause } from '../auth/cause.js';
import { sourceText } from '../envelope/json-text.js';
import type { DocumentBeginnings, TemplateUse } from '../templates/template-filling.js';
import type { Document } from './document.js';
import type { CreateDocumentDto } from './dto/create-document.dto.js';

type Beginnings = Pick<Document, 'title' | 'type' | 'content' | 'metadata' | 'aiSettings'>;

const FROM_TEMPLATE = ['title', 'content', 'metadata'] as const;

/** What a new document asks of a template; `undefined` when it names none. */
export function templateUse(body: CreateDocumentDto, cause: Cause): TemplateUse | undefined {
  const { templateId, templateVariables } = body;
  // Answers say `templateId: null`; sent back, it means none.
  if (templateId == null) return undefined;
  return {
    accountId: cause.principal.accountId,
    templateId,
    templateVariables,
    taken: new Set(FROM_TEMPLATE.filter((field) => body[field] === undefined)),
  };
}

/** What a new document begins with: what was sent, else what the template gives, else the defaults. */
export function givenBeginnings(
  body: CreateDocumentDto,
  template: DocumentBeginnings | undefined,
): Beginnings {
  const { title, type, content, metadata, aiSettings } = template ?? NOTHING;
  return {
    title: body.title ?? title ?? '',
    type: body.type ?? type,
    content: body.content ?? content,
    metadata: body.metadata ? sourceText(body.metadata) : metadata,
    aiSettings: body.aiSettings ? sourceText(body.aiSettings) : aiSettings,
  };
}

/** Without a template; a body without a title was refused before. */
const NOTHING: Beginnings = {
  title: '',
  type: 'document',
  content: '',
  metadata: '{}',
  aiSettings: '{}',
};
