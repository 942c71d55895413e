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

/** A request for the beginnings of a document. */
export interface TemplateUse {
  accountId: string;
  /** As the client sent it. */
  templateId: string;
  templateVariables: GivenVariables;
  /** The fields that come from the template; the document brings the others. */
  taken: ReadonlySet<TextField>;
}

/** What a document begins with; `title` is null only where it was not taken. */
export interface DocumentBeginnings extends FilledFields {
  /** UUID. */
  templateId: string;
  warnings: FieldProblem[];
}

/** Fills templates: for documents, and to see what a document would be. */
@Injectable()
export class TemplateFilling {
  constructor(private readonly templates: TemplateRepository) {}

  /**
   * Returns the template filled with the given variables, and stores nothing. A title that a document cannot have is a
   * warning, because the document may set its own. Throws `not_found`, or `bad_request` for unknown variables and for
   * texts that become too large.
   */
  async preview(accountId: string, id: string, variables: GivenVariables): Promise<Filled> {
    const template = await this.templates.find(accountId, uuidOf('template', id));
    if (!template) throw notFound('template');
    const filled = await this.fill(template, variables);
    refuse(filled.problems);
    const { title } = filled.fields;
    const doubts = title === null ? [] : titleProblems(title);
    return { ...filled, warnings: [...filled.warnings, ...doubts] };
  }

  /**
   * What a document made from the template begins with. Throws `bad_request` naming every problem: no such template, names
   * that it has not, required variables without a value, texts that become too large, no title.
   */
  async begin(use: TemplateUse): Promise<DocumentBeginnings> {
    const id = decodeId('template', use.templateId);
    const template = id && (await this.templates.find(use.accountId, id));
    if (!template) throw invalidFields([NO_SUCH_TEMPLATE]);
    const filled = await this.fill(template, use.templateVariables, use.taken);
    const { fields, missing, problems, warnings } = filled;
    refuse([
      ...(use.taken.has('title') ? titleProblems(fields.title) : []),
      ...problems,
      ...missing.map((name) => ({
        field: `templateVariables.${name}`,
        issue: 'required variable missing',
      })),
    ]);
    return { ...fields, templateId: template.id, warnings };
  }

  /** Fills in a separate turn of the event loop: 1 MiB of text can hold 200,000 placeholders, about 30 ms of work. */
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

/** The problem of an id that names no template: unknown, deleted, or of another account. */
export const NO_SUCH_TEMPLATE: FieldProblem = {
  field: 'templateId',
  issue: 'names no template of this account',
};

function titleProblems(title: string | null): FieldProblem[] {
  if (title === null) {
    return [{ field: 'title', issue: 'required field missing; the template has no title either' }];
  }
  if (title.trim() !== '') return [];
  const issue = 'is empty or only white space once its variables are filled; send a title';
  return [{ field: 'title', issue }];
}

function refuse([first, ...rest]: readonly FieldProblem[]): void {
  if (first) throw invalidFields([first, ...rest]);
}
