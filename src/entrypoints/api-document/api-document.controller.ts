import { Controller, Get, Header, Req, Res } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags, type SchemaObject } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { AnyFields } from '../../platform/http/envelope/unknown-fields.js';
import { Public } from '../../features/access/auth/authentication.js';
import { headers } from '../../platform/openapi/headers.js';
import { WithoutEnvelope } from '../../platform/openapi/route-decorators.js';
import { ServedDocument } from './served-document.js';

/** Any object; its values have a type in clients only when they are said to be there. */
const OBJECT: SchemaObject = { type: 'object', additionalProperties: true };
const OBJECTS: SchemaObject = { type: 'array', items: OBJECT, maxItems: 100 };

const OPENAPI: SchemaObject = {
  type: 'object',
  required: ['openapi', 'info', 'servers', 'security', 'tags', 'paths', 'webhooks', 'components'],
  properties: {
    openapi: { type: 'string', enum: ['3.1.0'] },
    info: OBJECT,
    servers: OBJECTS,
    security: OBJECTS,
    tags: OBJECTS,
    paths: OBJECT,
    webhooks: OBJECT,
    components: OBJECT,
  },
};

@ApiTags('service')
@Controller('openapi.json')
export class ApiDocumentController {
  constructor(private readonly document: ServedDocument) {}

  @Get()
  @Public()
  @AnyFields()
  @WithoutEnvelope()
  @Header('Cache-Control', 'no-cache')
  @ApiOperation({
    summary: 'Read this document',
    description: 'OpenAPI 3.1, for generators of clients. The page at `/docs` shows it.',
  })
  @ApiOkResponse({
    description: 'The document itself, not in the envelope.',
    headers: headers('ETag'),
    content: { 'application/json': { schema: OPENAPI } },
  })
  async read(@Req() request: Request, @Res() response: Response): Promise<void> {
    (await this.document.read()).send(request, response);
  }
}
