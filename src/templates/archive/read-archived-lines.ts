import { isPerson, readPerson } from '../../auth/person.js';
import { DOCUMENT_TYPES } from '../../documents/document-type.js';
import { contentProblem, titleProblem } from '../../documents/dto/text-fields.js';
import { aiSettingsProblems, metadataProblems } from '../../documents/free-form.js';
import {
  isId,
  isOneOf,
  isSomeOf,
  isWholeNumber,
  orNull,
  RecordFields,
} from '../../envelope/record-fields.js';
import { decodeId } from '../../identifiers/identifiers.js';
import { descriptionProblem, templateNameProblem } from '../dto/template-texts.js';
import { TEMPLATE_FIELDS } from '../template.js';
import { readVariables, variablesProblems, type DeclaredVariable } from '../variables.js';
import type {
  ArchivedTemplate,
  ArchivedTemplateState,
  ArchivedTemplateVersion,
} from './archived-template.js';

const MAX_VERSION = 999_999_999;

/** The template of a parsed line, judged like one that a client creates. Throws `bad_request` naming every problem. */
export function readTemplate(value: Record<string, unknown>, latest: Date): ArchivedTemplate {
  const fields = new RecordFields(value);
  fields.take('record', isOneOf(['template']));
  const id = fields.take('id', isId('template'));
  const version = fields.take('version', isWholeNumber(1, MAX_VERSION));
  const createdBy = fields.take('createdBy', orNull(isPerson));
  const createdAt = fields.takeTime('createdAt', latest);
  const updatedAt = fields.takeTime('updatedAt', latest);
  const state = takeState(fields);
  fields.require(updatedAt >= createdAt, 'updatedAt', 'must not be before createdAt');
  fields.end();
  return {
    ...complete(state),
    id: decodeId('template', id) ?? id,
    version,
    createdBy: createdBy && readPerson(createdBy),
    createdAt,
    updatedAt,
  };
}

/** The version of a parsed line, likewise. */
export function readTemplateVersion(
  value: Record<string, unknown>,
  latest: Date,
): ArchivedTemplateVersion {
  const fields = new RecordFields(value);
  fields.take('record', isOneOf(['templateVersion']));
  const templateId = fields.take('templateId', isId('template'));
  const number = fields.take('number', isWholeNumber(1, MAX_VERSION));
  const createdAt = fields.takeTime('createdAt', latest);
  const state = takeState(fields);
  fields.end();
  return {
    ...complete(state),
    templateId: decodeId('template', templateId) ?? templateId,
    number,
    createdAt,
  };
}

type TakenState = Omit<ArchivedTemplateState, 'variables'> & {
  variables: readonly DeclaredVariable[];
};

function takeState(fields: RecordFields): TakenState {
  return {
    name: fields.take<string>('name', templateNameProblem),
    description: fields.take<string | null>('description', orNull(descriptionProblem)),
    type: fields.take('type', isOneOf(DOCUMENT_TYPES)),
    title: fields.take<string | null>('title', orNull(titleProblem)),
    content: fields.take<string>('content', contentProblem),
    variables: fields.take<DeclaredVariable[]>('variables', variablesProblems),
    changes: fields.take('changes', isSomeOf(TEMPLATE_FIELDS)),
    author: fields.take('author', orNull(isPerson)),
    metadata: fields.takeSource('metadata', metadataProblems),
    aiSettings: fields.takeSource('aiSettings', aiSettingsProblems),
  };
}

/** Only of members that were found right. */
function complete(state: TakenState): ArchivedTemplateState {
  return {
    ...state,
    variables: readVariables(state.variables),
    author: state.author && readPerson(state.author),
  };
}
