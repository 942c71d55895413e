import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { CurrentPrincipal, RequireScope } from '../../access/auth/authentication.js';
import type { Principal } from '../../access/auth/principal.js';
import { Database } from '../../../platform/database/database.js';
import { DocumentsService } from '../../documents/documents.service.js';
import { ApiResponse } from '../../../platform/http/envelope/api-response.js';
import { encodeId } from '../../../platform/basics/identifiers/identifiers.js';
import type { CreationSort } from '../../../platform/http/pagination/creation-order.dto.js';
import { readPage } from '../../../platform/http/pagination/read-page.js';
import { ListQualityDto } from '../dto/enhance.dto.js';
import { VersionQualityDto } from '../dto/enhancement.dto.js';

/** The newest analysis of each version. A document has a hundred analyses at most. */
const NEWEST = `item.account_id = $1 AND item.document_id = $2 AND NOT EXISTS (
  SELECT FROM analyses AS newer
   WHERE newer.document_id = item.document_id AND newer.document_version = item.document_version
     AND (newer.created_at, newer.id) > (item.created_at, item.id))`;

/** Versions are in the order of time. */
const BY_VERSION = { column: 'document_version', type: 'integer' as const };

const LISTING = {
  name: 'analyses.quality',
  table: 'analyses',
  where: NEWEST,
  total: `SELECT count(*) AS n FROM analyses AS item WHERE ${NEWEST}`,
  columns: `item.id, item.document_version AS version, (item.result -> 'scores')::text AS scores,
            item.created_at AS "createdAt"`,
  sorts: { created_at: BY_VERSION, updated_at: BY_VERSION },
};

interface QualityRow {
  id: string;
  version: number;
  /** JSON text. */
  scores: string;
  createdAt: Date;
}

/** How the scores of a document went, version by version. */
@ApiTags('analysis')
@Controller('documents/:id/quality')
export class QualityController {
  constructor(
    private readonly documents: DocumentsService,
    private readonly database: Database,
  ) {}

  @Get()
  @RequireScope('documents:read')
  @ApiOperation({
    operationId: 'listQuality',
    summary: 'Compare the scores of versions',
    description:
      'Of each version that was analysed the newest analysis, the oldest version first. To compare like with like, analyse with the same checks and level.',
  })
  @ApiOkResponse({ type: VersionQualityDto, isArray: true, description: 'One page.' })
  async list(
    @CurrentPrincipal() { accountId }: Principal,
    @Param('id') id: string,
    @Query() query: ListQualityDto,
  ): Promise<ApiResponse> {
    const { id: documentId } = await this.documents.find(accountId, id);
    const listing = { ...LISTING, values: [documentId] };
    const page = await readPage<QualityRow, CreationSort>(this.database, listing, accountId, query);
    return new ApiResponse(`[${page.rows.map(present).join(',')}]`, {
      pagination: page.pagination,
    });
  }
}

function present({ id, version, scores, createdAt }: QualityRow): string {
  const analysisId = encodeId('analysis', id);
  return `{"documentVersion":${String(version)},"analysisId":"${analysisId}","scores":${scores},"analyzedAt":"${createdAt.toISOString()}"}`;
}
