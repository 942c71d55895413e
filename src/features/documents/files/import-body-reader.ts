import { setImmediate } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { Config } from '../../../platform/config/config.js';
import { ConverterService } from './converter.service.js';
import { formatOf, IMPORT_FORMATS, type ImportFormat } from '@document-service/conversion/formats';
import type { ImportedText } from '@document-service/conversion/import-file';
import type { BodyReader } from '../../../platform/http/bodies/body.interceptor.js';
import type { BodyReservation } from '../../../platform/http/bodies/body-budget.js';
import { unstorableText } from '../../../platform/http/bodies/json-syntax-tree.js';
import { parseJsonObject } from '../../../platform/http/bodies/json-text.js';
import { readUpload, type Upload } from '../../../platform/http/bodies/multipart-reader.js';
import {
  invalidFields,
  type AppError,
  type FieldProblem,
} from '../../../platform/basics/errors/app-error.js';
import { RequestValidationPipe } from '../../../platform/http/envelope/request-validation.pipe.js';
import { contentProblem } from '../../content/text-fields.js';
import { ImportOptionsDto } from './dto/document-file.dto.js';

declare module 'express-serve-static-core' {
  interface Request {
    /** Warnings from reading an uploaded file. */
    importWarnings?: readonly FieldProblem[];
    /** Format and size of the uploaded file, for the audit log. */
    importedFrom?: { format: ImportFormat; bytes: number };
  }
}

/**
 * Reads an uploaded file as the body of a create request. Converts the file before the request opens a transaction, so no
 * transaction waits for a conversion.
 */
@Injectable()
export class ImportBodyReader implements BodyReader {
  constructor(
    private readonly config: Config,
    private readonly converter: ConverterService,
    private readonly validation: RequestValidationPipe,
  ) {}

  async read(request: Request, _: Response, reservation: BodyReservation): Promise<void> {
    // Before the file is read and converted, which can take seconds.
    await this.validation.transform(request.query, { type: 'query', metatype: ImportOptionsDto });
    const upload = await readUpload(request, reservation, {
      fileField: 'file',
      fields: ['title', 'type', 'externalId', 'collectionId', 'format'],
      maxFileBytes: this.config.importLimit,
    });
    const format = formatOfUpload(upload);
    const text = await this.convert(request.principal?.accountId ?? '', upload, format);
    // Check this before copying the text into a body, which takes 0.1 s for 15 MB.
    const issue = contentProblem(text.content);
    if (issue !== undefined) throw invalidFields([{ field: 'content', issue }]);
    request.importedFrom = { format, bytes: upload.file.bytes.length };
    request.importWarnings = text.warnings;
    const members = creationOf(text, upload.fields);
    const body = parseJsonObject(Buffer.from(`{${members}}`));
    // The content is not parsed as JSON, because 1 MiB of control characters is 6 MiB of JSON.
    const unkeepable = unstorableText(text.content);
    if (unkeepable !== undefined) throw invalidFields([{ field: 'content', issue: unkeepable }]);
    body['content'] = text.content;
    request.body = body;
    const comma = members === '' ? '' : ',';
    request.bodyBytes = Buffer.from(
      `{${members}${comma}"content":${JSON.stringify(text.content)}}`,
    );
    // Let other requests run before the document is written.
    await setImmediate();
  }

  private convert(
    accountId: string,
    { file }: Upload,
    format: ImportFormat,
  ): Promise<ImportedText> {
    return this.converter.import(accountId, { bytes: file.bytes, name: file.name, format });
  }
}

function formatOfUpload({ file, fields }: Upload): ImportFormat {
  const format = requestedFormat(fields.get('format')) ?? formatOf(file.name, file.mediaType);
  if (!format) throw formatUnknown();
  return format;
}

function requestedFormat(sent: string | undefined): ImportFormat | undefined {
  if (sent === undefined) return undefined;
  const known = IMPORT_FORMATS.find((format) => format === sent);
  if (!known) {
    throw invalidFields([
      { field: 'format', issue: `must be one of ${IMPORT_FORMATS.join(', ')}` },
    ]);
  }
  return known;
}

/** Returns the error for a file whose name and media type do not identify its format. */
export function formatUnknown(): AppError {
  return invalidFields([
    {
      field: 'format',
      issue: `cannot be detected from the file name; send one of ${IMPORT_FORMATS.join(', ')}`,
    },
  ]);
}

/** Returns the JSON members of an equivalent `POST /v1/documents` body, without content. Metadata is copied verbatim. */
function creationOf(text: ImportedText, fields: Upload['fields']): string {
  const title = fields.get('title') ?? text.title;
  const type = fields.get('type') ?? text.type;
  const [externalId, collectionId] = [fields.get('externalId'), fields.get('collectionId')];
  const given = JSON.stringify({ title, type, externalId, collectionId }).slice(1, -1);
  const metadata = text.metadata === undefined ? '' : `"metadata":${text.metadata}`;
  return [given, metadata].filter((members) => members !== '').join(',');
}
