import { invalidFields, notFound } from '../../platform/basics/errors/app-error.js';
import { preconditionFailed } from '../../platform/http/envelope/preconditions.js';
import { tooManyTemplates } from './template-fields.js';
import { NAME_RULE } from './variables/variables.js';
import type { RouteRefusals } from '../../platform/openapi/route-decorators.js';

const CHANGED = preconditionFailed({ version: 4, etag: '"4"' });

export const TEMPLATES = {
  create: [
    [
      'Several problems',
      invalidFields([
        { field: 'name', issue: 'required field missing' },
        { field: 'variables[1].name', issue: NAME_RULE },
      ]),
    ],
    ['Too many items', tooManyTemplates()],
  ],
  delete: [['Changed in the meantime', CHANGED]],
  preview: [
    [
      'Template variables',
      invalidFields([
        {
          field: 'templateVariables.cleint',
          issue: "is not a variable of the template; did you mean 'client'?",
        },
      ]),
    ],
  ],
  patch: [['Changed in the meantime', CHANGED]],
  replace: [['Changed in the meantime', CHANGED]],
  readVersion: [['Unknown version', notFound('version')]],
  restoreVersion: [
    ['Unknown version', notFound('version')],
    ['Changed in the meantime', CHANGED],
  ],
} satisfies RouteRefusals;
