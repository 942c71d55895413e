import { Filter } from '../../../../platform/openapi/filter.js';

/** The query of `GET /v1/documents/{id}/versions/{number}/diff`. */
export class DiffQueryDto {
  @Filter.integer({
    min: 1,
    max: 999_999_999,
    description: 'The version to compare with; the one before, when it is left out.',
    example: 1,
    issue: 'must be the number of a version',
  })
  against?: number;
}
