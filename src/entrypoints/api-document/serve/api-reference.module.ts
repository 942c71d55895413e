import { Module } from '@nestjs/common';
import { ApiDocumentController, ServedDocument } from './api-document.controller.js';
import { ReferenceFiles, ReferencePageController } from './reference-page.controller.js';

/** The API reference: /v1/openapi.json for programs, /docs for people. */
@Module({
  controllers: [ApiDocumentController, ReferencePageController],
  providers: [ReferenceFiles, ServedDocument],
})
export class ApiReferenceModule {}
