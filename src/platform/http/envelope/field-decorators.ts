import { applyDecorators } from '@nestjs/common';
import { ApiHideProperty, ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Allow, IsDefined, ValidateBy, ValidateIf } from 'class-validator';
import type { Config } from '../../config/config.js';
import type { FieldProblem } from '../../basics/errors/app-error.js';

/** Finds what is wrong with a value that was sent, null too: any number of problems, each with its own path. */
export type ProblemsOf = (value: unknown, config: Config) => FieldProblem[];

/** Name under which class-validator keeps {@link CheckedBy}; the validation pipe looks for it. */
export const CHECKED_BY = 'checkedBy';

/** The field may be left out; when it is sent, null too, the other decorators judge it. */
export const IfSent = () =>
  applyDecorators(
    ValidateIf((_, value) => value !== undefined),
    ApiPropertyOptional(),
  );

/** The field must be sent, and not as null. Place it below the other decorators: the lowest is checked first. */
export const IsRequired = () => IsDefined({ message: 'required field missing' });

/**
 * What is sent is judged by a function, for values that can have several problems: open objects and lists. The validation
 * pipe calls it, because a decorator of class-validator can name one problem only.
 */
export const CheckedBy = (problemsOf: ProblemsOf) =>
  ValidateBy({
    name: CHECKED_BY,
    constraints: [problemsOf],
    validator: { validate: () => true },
  });

/** The API document takes what it has of `ignored` form for a member of any form. */
export const IGNORED_FORM = 'ignored';
const IGNORED = {
  required: false,
  type: String,
  format: IGNORED_FORM,
  description: 'Ignored: what was read can be sent back.',
};

/** Lets a body carry what answers carry and nobody can change, so that what was read can be sent back. */
export function AcceptsFields(names: readonly string[], problemsOf?: ProblemsOf): ClassDecorator {
  const accept = problemsOf ? CheckedBy(problemsOf) : Allow();
  return ({ prototype }) => {
    for (const name of names) {
      accept(prototype as object, name);
      (problemsOf ? ApiHideProperty() : ApiProperty(IGNORED))(prototype as object, name);
    }
  };
}
