import { AppError } from '../../../platform/basics/errors/app-error.js';
import { isObject } from '../../../platform/http/bodies/json-text.js';
import { annotatedText, type AnnotatedText, type Annotation } from './annotated-text.js';
import type { CheckFields } from './check-fields.js';
import { MAX_TEXT_LENGTH, requireNames, textTooLong } from './field-limits.js';

/** Rules and categories by their ids, in upper case. */
export interface RuleSelection {
  enabledRules: string[];
  disabledRules: string[];
  enabledCategories: string[];
  disabledCategories: string[];
  /** True to report only enabled rules and categories. */
  enabledOnly: boolean;
}

export interface CheckRequest {
  text: AnnotatedText;
  /** The sent text: a code, or `auto`. */
  language: string;
  preferredVariants: string[];
  /** True if findings about style are wanted too. */
  isPicky: boolean;
  rules: RuleSelection;
}

/** Returns the request that fields describe. Throws `bad_request`, and `payload_too_large` for a text that is too long. */
export function checkRequest(fields: CheckFields): CheckRequest {
  const language = textOf(fields, 'language').trim();
  if (language === '') {
    throw invalid(
      'The field language is missing. Send a language code such as en-US, or auto to detect the language.',
    );
  }
  return {
    text: textToCheck(fields),
    language,
    preferredVariants: listOf(fields, 'preferredVariants'),
    isPicky: textOf(fields, 'level').trim().toLowerCase() === 'picky',
    rules: ruleSelection(fields),
  };
}

function textToCheck(fields: CheckFields): AnnotatedText {
  const [hasText, hasData] = [fields.text !== undefined, fields.data !== undefined];
  if (hasText && hasData) throw invalid('Send either text or data, not both.');
  if (!hasText && !hasData) {
    throw invalid(
      'There is no text to check. Send it in the form field text, or with markup in data.',
    );
  }
  const text = annotatedText(
    hasText ? [{ text: textOf(fields, 'text') }] : annotationsIn(textOf(fields, 'data')),
  );
  const longest = Math.max(text.length, text.plain.length);
  if (longest > MAX_TEXT_LENGTH) throw textTooLong(longest);
  return text;
}

/** Returns the pieces of `data`: `{"text": …}` or `{"annotation": [{"text": …}, {"markup": …, "interpretAs": …}]}`. */
function annotationsIn(data: string): Annotation[] {
  const sent = parsed(data);
  // A JSON body may have the object itself, or its JSON text in a string.
  const value = typeof sent === 'string' ? parsed(sent) : sent;
  if (!isObject(value)) throw invalid('The field data is not a JSON object.');
  const { text, annotation } = value;
  if (text !== undefined && annotation !== undefined) {
    throw invalid('The field data has both text and annotation. Send one of them.');
  }
  if (typeof text === 'string') return [{ text }];
  if (!Array.isArray(annotation)) {
    throw invalid('The field data needs text, a string, or annotation, an array of objects.');
  }
  return annotation.map(asAnnotation);
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json) as unknown;
  } catch {
    throw invalid('The field data is not valid JSON.');
  }
}

function asAnnotation(one: unknown, index: number): Annotation {
  const { text, markup, interpretAs } = isObject(one) ? one : {};
  if (typeof text === 'string' && markup === undefined && interpretAs === undefined)
    return { text };
  const isRead = interpretAs === undefined || typeof interpretAs === 'string';
  if (typeof markup === 'string' && text === undefined && isRead) return { markup, interpretAs };
  throw invalid(
    `annotation[${String(index)}] in data is neither {"text": string} nor {"markup": string, "interpretAs": string}, where interpretAs is optional.`,
  );
}

function ruleSelection(fields: CheckFields): RuleSelection {
  const upperCase = (name: keyof CheckFields) => listOf(fields, name).map((id) => id.toUpperCase());
  const selection = {
    enabledRules: upperCase('enabledRules'),
    disabledRules: upperCase('disabledRules'),
    enabledCategories: upperCase('enabledCategories'),
    disabledCategories: upperCase('disabledCategories'),
    enabledOnly: ['true', 'yes'].includes(textOf(fields, 'enabledOnly').trim().toLowerCase()),
  };
  if (!selection.enabledOnly) return selection;
  if (selection.enabledRules.length + selection.enabledCategories.length === 0) {
    throw invalid('enabledOnly needs rules or categories: send enabledRules or enabledCategories.');
  }
  if (selection.disabledRules.length + selection.disabledCategories.length > 0) {
    throw invalid(
      'enabledOnly already disables all other rules. Leave out disabledRules and disabledCategories.',
    );
  }
  return selection;
}

/** Returns the text of a field, or an empty text without the field. JSON bodies may also contain booleans. */
function textOf(fields: CheckFields, name: keyof CheckFields): string {
  const value = fields[name] ?? '';
  if (typeof value === 'string') return value;
  if (typeof value === 'boolean') return String(value);
  throw invalid(`The field ${name} must be a string.`);
}

/** Returns the names in a list separated by commas. The length of the list is limited when it is read. */
function listOf(fields: CheckFields, name: keyof CheckFields): string[] {
  const names = textOf(fields, name)
    .split(',')
    .map((value) => value.trim())
    .filter((value) => value !== '');
  requireNames(name, names);
  return names;
}

function invalid(message: string): AppError {
  return new AppError('bad_request', message);
}
