import { Field } from '../../../platform/openapi/field.js';

/** Most values of a facet in an answer. */
export const MAX_FACET_VALUES = 100;

class FacetValueDto {
  @Field.text({ max: 500, example: 'report' }) value: string;
  @Field.integer({ min: 1, description: 'Documents with this value.', example: 42 }) count: number;
}

const FacetField = (description: string) =>
  Field.list(FacetValueDto, { max: MAX_FACET_VALUES, description });

/** How many of the documents that match have which values, the most frequent first. */
export class DocumentFacetsDto {
  @FacetField('By type.')
  type: FacetValueDto[];

  @FacetField('By status.')
  status: FacetValueDto[];

  @FacetField('By tag; a document counts for each of its tags.')
  tag: FacetValueDto[];

  @FacetField('By `metadata.department`.')
  department: FacetValueDto[];

  @FacetField('By `metadata.project`.')
  project: FacetValueDto[];
}
