import { ApiProperty } from '@nestjs/swagger';
import { ApiInteger, ApiText } from '../../../platform/openapi/property-decorators.js';

/** Most values of a facet in an answer. */
export const MAX_FACET_VALUES = 100;

class FacetValueDto {
  @ApiText({ maxLength: 500, example: 'report' })
  value: string;

  @ApiInteger({
    minimum: 1,
    maximum: 2_147_483_647,
    description: 'Documents with this value.',
    example: 42,
  })
  count: number;
}

const ApiFacet = (description: string) =>
  ApiProperty({ type: [FacetValueDto], maxItems: MAX_FACET_VALUES, description });

/** How many of the documents that match have which values, the most frequent first. */
export class DocumentFacetsDto {
  @ApiFacet('By type.')
  type: FacetValueDto[];

  @ApiFacet('By status.')
  status: FacetValueDto[];

  @ApiFacet('By tag; a document counts for each of its tags.')
  tag: FacetValueDto[];

  @ApiFacet('By `metadata.department`.')
  department: FacetValueDto[];

  @ApiFacet('By `metadata.project`.')
  project: FacetValueDto[];
}
