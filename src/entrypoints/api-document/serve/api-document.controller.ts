import {
  Controller,
  Get,
  Header,
  Injectable,
  Req,
  Res,
  type INestApplication,
} from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags, type SchemaObject } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { AnyFields } from '../../../platform/http/envelope/unknown-fields.interceptors.js';
import { Public } from '../../../features/auth/auth.decorators.js';
import { Reach } from '../../../features/auth/access/reach.decorators.js';
import { headers } from '../../../platform/openapi/headers.js';
import { WithoutEnvelope } from '../../../platform/openapi/route-decorators.js';
import { buildApiDocument } from '../api-document.js';
import { StaticFile } from './static-file.js';

/** Any object. Generated clients only type members that are declared. */
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

/** Builds the API document once, at startup, because building takes longer than a request may. */
@Injectable()
export class ServedDocument {
  private app: INestApplication | undefined;
  private built: Promise<StaticFile> | undefined;

  /** Sets the application to describe, which does not exist yet when its modules are created. */
  describe(app: INestApplication): void {
    this.app = app;
  }

  /** Returns the document as JSON. */
  read(): Promise<StaticFile> {
    this.built ??= this.build();
    return this.built;
  }

  private async build(): Promise<StaticFile> {
    if (!this.app)
      throw new Error('Call serveApiDocument(app) after the application is configured.');
    const text = JSON.stringify(buildApiDocument(this.app));
    return StaticFile.of(text, 'application/json; charset=utf-8');
  }
}

/** Makes /v1/openapi.json describe this application, whose modules must include ApiReferenceModule. */
export function serveApiDocument(app: INestApplication): void {
  app.get(ServedDocument).describe(app);
}

@ApiTags('service')
@Controller('openapi.json')
export class ApiDocumentController {
  constructor(private readonly document: ServedDocument) {}

  @Get()
  @Public()
  @Reach('none')
  @AnyFields()
  @WithoutEnvelope()
  @Header('Cache-Control', 'no-cache')
  @ApiOperation({
    summary: 'Read this document',
    description: 'OpenAPI 3.1, for client generators. The pages at `/docs` explain it.',
  })
  @ApiOkResponse({
    description: 'The document itself, without the envelope.',
    headers: headers('ETag'),
    content: { 'application/json': { schema: OPENAPI } },
  })
  async read(@Req() request: Request, @Res() response: Response): Promise<void> {
    (await this.document.read()).send(request, response);
  }
}
