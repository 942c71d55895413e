import { Module } from '@nestjs/common';
import { ApiDocumentController } from './api-document.controller.js';
import { ReferencePageController } from './reference-page.controller.js';
import { ServedDocument } from './served-document.js';

/** How to use the API: for programs at /v1/openapi.json, for people at /docs. */
@Module({
  controllers: [ApiDocumentController, ReferencePageController],
  providers: [ServedDocument],
})
export class ApiReferenceModule {}
