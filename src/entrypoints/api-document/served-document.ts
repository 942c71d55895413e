import { Injectable, type INestApplication } from '@nestjs/common';
import { buildApiDocument } from './api-document.js';
import { StaticFile } from './static-file.js';

/** The API document of this process. The start of the service builds it, because that takes longer than a request may. */
@Injectable()
export class ServedDocument {
  private app: INestApplication | undefined;
  private built: Promise<StaticFile> | undefined;

  /** Tells which application to describe; it exists only after its modules. */
  describe(app: INestApplication): void {
    this.app = app;
  }

  /** The document as JSON. */
  read(): Promise<StaticFile> {
    this.built ??= this.build();
    return this.built;
  }

  private async build(): Promise<StaticFile> {
    if (!this.app)
      throw new Error('Call serveApiDocument(app) when the application is configured.');
    const text = JSON.stringify(buildApiDocument(this.app));
    return StaticFile.of(text, 'application/json; charset=utf-8');
  }
}

/** Lets /v1/openapi.json describe this application. Its modules must include ApiReferenceModule. */
export function serveApiDocument(app: INestApplication): void {
  app.get(ServedDocument).describe(app);
}
