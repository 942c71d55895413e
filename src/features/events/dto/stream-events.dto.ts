import { ApiPropertyOptional } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsOptional } from 'class-validator';
import { CheckedBy } from '../../../platform/http/envelope/field-decorators.js';
import type { FieldProblem } from '../../../platform/basics/errors/app-error.js';
import { eventIssue, MAX_EVENTS } from '../catalogue/catalogue.js';

/** The query of `GET /v1/events/stream`. */
export class StreamEventsDto {
  @ApiPropertyOptional({
    type: String,
    default: '*',
    maxLength: 2000,
    pattern: '^[a-z_.*]+(,[a-z_.*]+)*$',
    description:
      'Names of events between commas; `document.*` is all of documents, `*` all there are.',
    example: 'document.created,document.updated',
  })
  @Transform(({ value }: { value: unknown }) =>
    typeof value === 'string' ? namesIn(value) : value,
  )
  @IsOptional()
  @CheckedBy(typesProblems)
  types: string[] = ['*'];
}

function namesIn(text: string): string[] {
  return text.split(',').map((name) => name.trim());
}

function typesProblems(value: unknown): FieldProblem[] {
  const problem = (issue: string): FieldProblem[] => [{ field: 'types', issue }];
  if (typeof value !== 'string') return problem('must be given once; put commas between names');
  const names = namesIn(value);
  if (names.length > MAX_EVENTS) {
    return problem(`must not have more than ${String(MAX_EVENTS)} names`);
  }
  const issue = names.map(eventIssue).find((found) => found !== undefined);
  return issue === undefined ? [] : problem(issue);
}
