import { threadTask } from '../../../platform/threads/thread-task.js';
import type { TemplateFields } from '../template-fields.js';
import { fillTemplate } from './fill-template.js';
import { templateProblems, templateWarnings } from './template-warnings.js';
import { readInputs, type TextField } from './variables.js';

/** A template to fill. */
export interface FillTask {
  template: TemplateFields;
  /** The sent values as JSON text of an object. */
  inputs: string;
  taken: ReadonlySet<TextField>;
}

/** Pure functions that read all texts of a template. They run on the event loop or in a thread. */
export const TEMPLATE_WORK = {
  fill: ({ template, inputs, taken }: FillTask) =>
    fillTemplate(template, readInputs(inputs), taken),
  problems: (template: TemplateFields) => templateProblems(template),
  warnings: (template: TemplateFields) => templateWarnings(template),
};

export type TemplateWork = typeof TEMPLATE_WORK;
export type TemplateTask<Kind extends keyof TemplateWork> = Parameters<TemplateWork[Kind]>[0];

/** A message to a thread. */
export interface TemplateMessage {
  kind: keyof TemplateWork;
  task: unknown;
}

export default threadTask(({ kind, task }: TemplateMessage) => TEMPLATE_WORK[kind](task as never));
