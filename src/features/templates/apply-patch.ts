import { applyMergePatch } from '../content/json-merge-patch.js';
import { isObject, parseObject, sourceText } from '../../platform/http/envelope/json-text.js';
import { invalidFields, type FieldProblem } from '../../platform/basics/errors/app-error.js';
import type { PatchTemplateDto } from './dto/write-template.dto.js';
import type { CreateTemplateDto } from './dto/write-template.dto.js';
import {
  fieldOf,
  PATCHABLE_FIELDS,
  TEMPLATE_FIELDS,
  type PatchableField,
  type TemplateFields,
} from './template-fields.js';
import { templateProblems } from './template-warnings.js';
import { readVariables } from './variables.js';

type Given = PatchTemplateDto[PatchableField];

/** The fields of a new template, or of one that is replaced. Throws `bad_request` when together they make none. */
export function templateFields(body: CreateTemplateDto): TemplateFields {
  const fields = PATCHABLE_FIELDS.map((name) => [name, storedForm(name, body[name])]);
  return accepted(Object.fromEntries(fields) as TemplateFields);
}

/** What a merge patch makes of a template. Throws `bad_request` for what a template cannot be. */
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
  return accepted(after);
}

function accepted(fields: TemplateFields): TemplateFields {
  const [first, ...rest] = templateProblems(fields);
  if (first) throw invalidFields([first, ...rest]);
  return fields;
}

function patchedValue(name: PatchableField, before: string | null, patch: Given): string | null {
  if (patch === undefined) return before;
  // A list of variables replaces the one before.
  return isObject(patch) && before !== null
    ? applyMergePatch(before, sourceText(patch))
    : storedForm(name, patch);
}

/** What was sent as it is stored: an open object is its source text. Nothing is what the field is at first. */
function storedForm(name: PatchableField, value: Given): string | null {
  if (value == null) return TEMPLATE_FIELDS[name].patchable.initial;
  if (typeof value === 'string') return value;
  return Array.isArray(value) ? JSON.stringify(readVariables(value)) : sourceText(value);
}

/** A patch may be well-formed and still make something too large, or of the wrong type. */
function problemsOf(name: PatchableField, text: string | null): FieldProblem[] {
  const { patchable } = fieldOf(name);
  if (!patchable || !patchable.problems || text === null) return [];
  return patchable.problems(parseObject(text));
}
