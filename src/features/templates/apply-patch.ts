import { applyMergePatch } from '../content/json-merge-patch.js';
import { isObject, parseObject, sourceText } from '../../platform/http/bodies/json-text.js';
import { invalidFields, type FieldProblem } from '../../platform/basics/errors/app-error.js';
import type { PatchTemplateDto, CreateTemplateDto } from './dto/write-template.dto.js';
import {
  fieldOf,
  PATCHABLE_FIELDS,
  TEMPLATE_FIELDS,
  type PatchableField,
  type TemplateFields,
} from './template-fields.js';
import { readVariables } from './variables/variables.js';

type Given = PatchTemplateDto[PatchableField];

/** Returns the fields of a new or replaced template. */
export function templateFields(body: CreateTemplateDto): TemplateFields {
  const fields = PATCHABLE_FIELDS.map((name) => [name, storedForm(name, body[name])]);
  return Object.fromEntries(fields) as TemplateFields;
}

/** Returns the fields of a template after a merge patch. Throws `bad_request` for invalid values. */
export function applyPatch(before: TemplateFields, patch: PatchTemplateDto): TemplateFields {
  const fields = PATCHABLE_FIELDS.map((name) => [
    name,
    patchedValue(name, before[name], patch[name]),
  ]);
  const after = Object.fromEntries(fields) as TemplateFields;
  const [first, ...rest] = PATCHABLE_FIELDS.flatMap((name) =>
    after[name] === before[name] ? [] : problemsOf(name, after[name]),
  );
  if (first) throw invalidFields([first, ...rest]);
  return after;
}

function patchedValue(name: PatchableField, before: string | null, patch: Given): string | null {
  if (patch === undefined) return before;
  // A list of variables replaces the previous list.
  return isObject(patch) && before !== null
    ? applyMergePatch(before, sourceText(patch))
    : storedForm(name, patch);
}

/** Returns a sent value in its stored form: open objects as source text, the default for null or a missing value. */
function storedForm(name: PatchableField, value: Given): string | null {
  if (value == null) return TEMPLATE_FIELDS[name].patchable.initial;
  if (typeof value === 'string') return value;
  return Array.isArray(value) ? JSON.stringify(readVariables(value)) : sourceText(value);
}

/**
 * Validates the merged value, because a well-formed patch can still produce a value that is too large or has the wrong type.
 */
function problemsOf(name: PatchableField, text: string | null): FieldProblem[] {
  const { patchable } = fieldOf(name);
  if (!patchable || !patchable.problems || text === null) return [];
  return patchable.problems(parseObject(text));
}
