import { setImmediate } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import {
  invalidFields,
  notFound,
  type FieldProblem,
} from '../../../platform/basics/errors/app-error.js';
import { decodeId, uuidOf } from '../../../platform/basics/identifiers/identifiers.js';
import { fillTemplate, type Filled, type FilledFields } from './fill-template.js';
import type { TemplateFields } from '../template-fields.js';
import { readInputs, type TextField } from './variables.js';
import { TemplateRepository } from '../template.repository.js';

type GivenVariables = Record<string, unknown> | null | undefined;

/** A request to create a document from a template. */
export interface TemplateUse {
  accountId: string;
  /** The public id that the client sent. */
  templateId: string;
  templateVariables: GivenVariables;
  /** The fields to take from the template. The request contains the others. */
  taken: ReadonlySet<TextField>;
}

/** The initial fields of a document. `title` is null only if it was not requested. */
export interface InitialFields extends FilledFields {
  /** UUID. */
  templateId: string;
  warnings: FieldProblem[];
}

/** Fills templates for new documents and previews. */
@Injectable()
export class TemplateFilling {
  constructor(private readonly templates: TemplateRepository) {}

  /**
   * Returns the template filled with the given variables, without storing anything. An invalid title only causes a
   * warning, because the document may set its own. Throws `not_found`, or `bad_request` for unknown variables and for
   * texts that become too large.
   */
  async preview(accountId: string, id: string, variables: GivenVariables): Promise<Filled> {
    const template = await this.templates.find(accountId, uuidOf('template', id));
    if (!template) throw notFound('template');
    const filled = await this.fill(template, variables);
    throwProblems(filled.problems);
    const { title } = filled.fields;
    const titleWarnings = title === null ? [] : titleProblems(title);
    return { ...filled, warnings: [...filled.warnings, ...titleWarnings] };
  }

  /**
   * Returns the initial fields of a document. Throws `bad_request` listing every problem: an unknown template, unknown
   * variables, missing required variables, texts that become too large, a missing title.
   */
  async begin(use: TemplateUse): Promise<InitialFields> {
    const id = decodeId('template', use.templateId);
    const template = id && (await this.templates.find(use.accountId, id));
    if (!template) throw invalidFields([NO_SUCH_TEMPLATE]);
    const filled = await this.fill(template, use.templateVariables, use.taken);
    const { fields, missing, problems, warnings } = filled;
    throwProblems([
      ...(use.taken.has('title') ? titleProblems(fields.title) : []),
      ...problems,
      ...missing.map((name) => ({
        field: `templateVariables.${name}`,
        issue: 'required variable missing',
      })),
    ]);
    return { ...fields, templateId: template.id, warnings };
  }

  /**
   * Fills in a separate turn of the event loop, because 1 MiB of text can have 200,000 placeholders, about 30 ms of work.
   */
  private async fill(
    template: TemplateFields,
    variables: GivenVariables,
    taken?: ReadonlySet<TextField>,
  ): Promise<Filled> {
    await setImmediate();
    const filled = fillTemplate(template, readInputs(variables), taken);
    await setImmediate();
    return filled;
  }
}

/** The problem of an unknown template id. */
export const NO_SUCH_TEMPLATE: FieldProblem = {
  field: 'templateId',
  issue: 'is not a template of this account',
};

function titleProblems(title: string | null): FieldProblem[] {
  if (title === null) {
    return [{ field: 'title', issue: 'required field missing; the template has no title either' }];
  }
  if (title.trim() !== '') return [];
  const issue = 'is blank after its variables are filled; send a title';
  return [{ field: 'title', issue }];
}

function throwProblems([first, ...rest]: readonly FieldProblem[]): void {
  if (first) throw invalidFields([first, ...rest]);
}
