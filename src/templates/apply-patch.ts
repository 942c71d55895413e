import { applyMergePatch } from '../documents/changes/json-merge-patch.js';
import { sameJson } from '../documents/changes/same-json.js';
import { aiSettingsProblems, metadataProblems } from '../documents/free-form.js';
import { parseObject, sourceText } from '../envelope/json-text.js';
import { invalidFields } from '../errors/app-error.js';
import type { PatchTemplateDto } from './dto/change-template.dto.js';
import type { CreateTemplateDto } from './dto/create-template.dto.js';
import { templateProblems } from './template-warnings.js';
import { TEMPLATE_FIELDS, type TemplateField, type TemplateFields } from './template.js';
import { readVariables } from './variables.js';

/** The fields of a new template, or of one that is replaced. Throws `bad_request` when together they make none. */
export function templateFields(body: CreateTemplateDto): TemplateFields {
  return accepted({
    name: body.name,
    description: body.description ?? null,
    type: body.type ?? 'document',
    title: body.title ?? null,
    content: body.content ?? '',
    variables: readVariables(body.variables ?? []),
    metadata: body.metadata ? sourceText(body.metadata) : '{}',
    aiSettings: body.aiSettings ? sourceText(body.aiSettings) : '{}',
  });
}

/** What a merge patch makes of a template. Throws `bad_request` for what a template cannot be. */
export function applyPatch(before: TemplateFields, patch: PatchTemplateDto): TemplateFields {
  const { name, description, type, title, content, variables } = patch;
  const metadata = patchedObject(before.metadata, patch.metadata);
  const aiSettings = patchedObject(before.aiSettings, patch.aiSettings);
  // A patch may be well-formed and still make something too large, or of the wrong type.
  const [first, ...rest] = [
    ...(metadata === before.metadata ? [] : metadataProblems(parseObject(metadata))),
    ...(aiSettings === before.aiSettings ? [] : aiSettingsProblems(parseObject(aiSettings))),
  ];
  if (first) throw invalidFields([first, ...rest]);
  return accepted({
    name: name ?? before.name,
    description: description === undefined ? before.description : description,
    type: type === undefined ? before.type : (type ?? 'document'),
    title: title === undefined ? before.title : title,
    content: content === undefined ? before.content : (content ?? ''),
    variables: variables === undefined ? before.variables : readVariables(variables ?? []),
    metadata,
    aiSettings,
  });
}

/** The names of the fields in which two differ. */
export function differences(before: TemplateFields, after: TemplateFields): TemplateField[] {
  return TEMPLATE_FIELDS.filter((field) => {
    if (field === 'variables') {
      return JSON.stringify(before.variables) !== JSON.stringify(after.variables);
    }
    if (field === 'metadata' || field === 'aiSettings') {
      return !sameJson(before[field], after[field]);
    }
    return before[field] !== after[field];
  });
}

function accepted(fields: TemplateFields): TemplateFields {
  const [first, ...rest] = templateProblems(fields);
  if (first) throw invalidFields([first, ...rest]);
  return fields;
}

function patchedObject(text: string, patch: Record<string, unknown> | null | undefined): string {
  if (patch === undefined) return text;
  return patch === null ? '{}' : applyMergePatch(text, sourceText(patch));
}
