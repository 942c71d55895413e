import { type FieldProblem, invalidFields } from '../../platform/basics/errors/app-error.js';
import { actionProblems } from './dto/audit.dto.js';
import type { RouteRefusals } from '../../platform/openapi/route-decorators.js';

export const AUDIT = {
  list: [['Unknown name', invalidFields(actionProblems('document.created') as [FieldProblem])]],
} satisfies RouteRefusals;
