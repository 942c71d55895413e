import { Injectable } from '@nestjs/common';
import {
  invalidFields,
  notFound,
  type FieldProblem,
} from '../../../platform/basics/errors/app-error.js';
import { decodeId, uuidOf } from '../../../platform/basics/identifiers/identifiers.js';
import { sourceText } from '../../../platform/http/bodies/json-text.js';
import type { FillBudget } from './fill-budget.js';
import type { Filled, FilledFields } from './fill-template.js';
import type { Template } from '../template-fields.js';
import { TemplateThreads } from './template-threads.js';
import { TEXT_FIELDS, type TextField } from './variables.js';
import { TemplatesRepository } from '../templates.repository.js';

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
export class TemplateFillingService {
  constructor(
    private readonly templates: TemplatesRepository,
    private readonly threads: TemplateThreads,
  ) {}

  /**
   * Returns the template filled with the given variables, without storing anything. An invalid title only causes a
   * warning, because the document may set its own. Throws `not_found`, or `bad_request` for unknown variables and for
   * texts that become too large.
   */
  async preview(accountId: string, id: string, variables: GivenVariables): Promise<Filled> {
    const template = await this.templates.find(accountId, uuidOf('template', id));
    if (!template) throw notFound('template');
    const filled = await this.fill(template, variables, new Set(TEXT_FIELDS));
    throwProblems(filled.problems);
    const { title } = filled.fields;
    const titleWarnings = title === null ? [] : titleProblems(title);
    return { ...filled, warnings: [...filled.warnings, ...titleWarnings] };
  }

  /**
   * Returns the initial fields of a document. Throws `bad_request` listing every problem: an unknown template, unknown
   * variables, missing required variables, texts that become too large, a missing title. Throws `payload_too_large` if
   * the budget is used up.
   */
  async begin(use: TemplateUse, budget?: FillBudget): Promise<InitialFields> {
    const id = decodeId('template', use.templateId);
    if (id && budget) budget.take(await this.templates.textBytes(use.accountId, id));
    const template = id && (await this.templates.find(use.accountId, id));
    if (!template) throw invalidFields([NO_SUCH_TEMPLATE]);
    const filled = await this.fill(template, use.templateVariables, use.taken);
    const { fields, missing, problems, warnings } = filled;
    budget?.take(Buffer.byteLength(fields.content) + Buffer.byteLength(fields.metadata));
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

  private fill(
    template: Template,
    variables: GivenVariables,
    taken: ReadonlySet<TextField>,
  ): Promise<Filled> {
    const inputs = variables ? sourceText(variables) : '{}';
    return this.threads.fill(template.accountId, { template, inputs, taken });
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
