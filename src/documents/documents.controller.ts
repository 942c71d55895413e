import { Body, Controller, Get, Param, Post, Query, Req } from '@nestjs/common';
import type { Request } from 'express';
import { CurrentPrincipal, RequireScope } from '../auth/authentication.js';
import type { Principal } from '../auth/principal.js';
import { Answer } from '../envelope/answer.js';
import { fromRow } from './document-row.js';
import { documentETag, presentDocument, presentListItem } from './document.presenter.js';
import { DocumentsService } from './documents.service.js';
import { CreateDocumentDto } from './dto/create-document.dto.js';
import { ListDocumentsDto } from './dto/list-documents.dto.js';
import { encodeId } from '../identifiers/identifiers.js';

@Controller('documents')
export class DocumentsController {
  constructor(private readonly documents: DocumentsService) {}

  @Post()
  @RequireScope('documents:write')
  async create(
    @CurrentPrincipal() principal: Principal,
    @Req() { requestId }: Request,
    @Body() body: CreateDocumentDto,
  ): Promise<Answer> {
    const document = await this.documents.create(body, { principal, requestId });
    return new Answer(presentDocument(document), {
      location: `/v1/documents/${encodeId('document', document.id)}`,
      etag: documentETag(document),
    });
  }

  @Get()
  @RequireScope('documents:read')
  async list(
    @CurrentPrincipal() { accountId }: Principal,
    @Query() query: ListDocumentsDto,
  ): Promise<Answer> {
    const { rows, pagination } = await this.documents.list(accountId, query);
    const items = rows.map((row) =>
      presentListItem({ ...fromRow(row), content: row.content ?? undefined }),
    );
    return new Answer(`[${items.join(',')}]`, { pagination });
  }

  @Get(':id')
  @RequireScope('documents:read')
  async read(
    @CurrentPrincipal() { accountId }: Principal,
    @Param('id') id: string,
  ): Promise<Answer> {
    const document = await this.documents.find(accountId, id);
    return new Answer(presentDocument(document), { etag: documentETag(document) });
  }
}
