import { Module } from '@nestjs/common';
import { ApiDocumentController, ServedDocument } from './api-document.controller.js';
import { DocsController, DocsFiles } from './docs.controller.js';
import { ReferenceFiles, ReferencePageController } from './reference-page.controller.js';
import { RootController } from './root.controller.js';

/**
 * The root, and the documentation: the API document at /v1/openapi.json, the site at /docs, and the page that sends
 * requests at /docs/try, which comes before the pages of the site.
 */
@Module({
  controllers: [RootController, ApiDocumentController, ReferencePageController, DocsController],
  providers: [DocsFiles, ReferenceFiles, ServedDocument],
})
export class ApiReferenceModule {}
