import { Controller, Get, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { CurrentPrincipal, RequireScope } from '../access/auth/authentication.js';
import type { Principal } from '../access/auth/principal.js';
import { ApiResponse } from '../../platform/http/envelope/api-response.js';
import { DocumentFacets } from './lists/document-facets.js';
import { DocumentFacetsDto, MAX_FACET_VALUES } from './dto/document.dto.js';
import { DocumentFiltersDto } from './dto/document-filters.dto.js';

/** Registered before the routes of one document: `facets` is no id. */
@ApiTags('documents')
@Controller('documents/facets')
export class DocumentFacetsController {
  constructor(private readonly facets: DocumentFacets) {}

  @Get()
  @RequireScope('documents:read')
  @ApiOperation({
    operationId: 'countDocuments',
    summary: 'Count documents by value',
    description: `Of the documents that match, with the filters of the list: how many have which type, status, tag, department and project. At most the ${String(MAX_FACET_VALUES)} most frequent values of each; \`meta.warnings\` names those that have more. Beyond 20,000 documents the newest 20,000 are counted, and \`meta.totalIsLowerBound\` says so.`,
  })
  @ApiOkResponse({ type: DocumentFacetsDto, description: 'The counts.' })
  async count(
    @CurrentPrincipal() { accountId }: Principal,
    @Query() query: DocumentFiltersDto,
  ): Promise<ApiResponse> {
    const { json, warnings, totalIsLowerBound } = await this.facets.count(accountId, query);
    return new ApiResponse(json, { warnings, totalIsLowerBound });
  }
}
