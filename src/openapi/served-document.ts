import { createHash } from 'node:crypto';
import { Injectable, type INestApplication } from '@nestjs/common';
import { buildApiDocument } from './api-document.js';

/** The API document of this process. It is built when it is first asked for: most processes never are. */
@Injectable()
export class ServedDocument {
  private app: INestApplication | undefined;
  private built: { text: string; etag: string } | undefined;

  /** Tells which application to describe; it exists only after its modules. */
  describe(app: INestApplication): void {
    this.app = app;
  }

  /** The document as JSON text, with its strong entity tag. */
  read(): { text: string; etag: string } {
    this.built ??= this.build();
    return this.built;
  }

  private build(): { text: string; etag: string } {
    if (!this.app)
      throw new Error('Call serveApiDocument(app) when the application is configured.');
    const text = JSON.stringify(buildApiDocument(this.app));
    const digest = createHash('sha256').update(text).digest('base64url');
    return { text, etag: `"${digest}"` };
  }
}

/** Lets /v1/openapi.json describe this application. Its modules must include ApiReferenceModule. */
export function serveApiDocument(app: INestApplication): void {
  app.get(ServedDocument).describe(app);
}
