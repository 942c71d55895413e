import { Body, Controller, Get, Param, Post, Query, Req } from '@nestjs/common';
import type { Request } from 'express';
import { CurrentPrincipal, RequireScope } from '../auth/authentication.js';
import type { Principal } from '../auth/principal.js';
import { Answer } from '../envelope/answer.js';
import { DocumentPages } from './document-pages.js';
import { documentETag, presentDocument } from './document.presenter.js';
import { DocumentsService } from './documents.service.js';
import { CreateDocumentDto } from './dto/create-document.dto.js';
import { ListDocumentsDto } from './dto/list-documents.dto.js';
import { encodeId } from '../identifiers/identifiers.js';

@Controller('documents')
export class DocumentsController {
  constructor(
    private readonly documents: DocumentsService,
    private readonly pages: DocumentPages,
  ) {}

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
    const { json, pagination } = await this.pages.read(accountId, query);
    return new Answer(json, { pagination });
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
