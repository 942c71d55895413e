import { Module } from '@nestjs/common';
import { ApiDocumentController, ServedDocument } from './api-document.controller.js';
import { DocsController, DocsFiles } from './docs.controller.js';
import { RootController } from './root.controller.js';

/** The root, and the documentation: the API document at /v1/openapi.json, and the site at /docs. */
@Module({
  controllers: [RootController, ApiDocumentController, DocsController],
  providers: [DocsFiles, ServedDocument],
})
export class ApiReferenceModule {}
