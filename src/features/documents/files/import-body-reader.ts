import { setImmediate } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { Config } from '../../../platform/config/config.js';
import { Converter } from './conversion/converter.js';
import { formatOf, IMPORT_FORMATS, type ImportFormat } from '@document-service/conversion/formats';
import type { ImportedText } from '@document-service/conversion/import-file';
import type { BodyReader } from '../../../platform/http/bodies/body-readers.js';
import type { BodyReservation } from '../../../platform/http/bodies/body-budget.js';
import { unstorableText } from '../../../platform/http/bodies/json-syntax-tree.js';
import { parseJsonObject } from '../../../platform/http/bodies/json-text.js';
import { readUpload, type Upload } from '../../../platform/http/bodies/multipart-reader.js';
import {
  invalidFields,
  type AppError,
  type FieldProblem,
} from '../../../platform/basics/errors/app-error.js';
import { contentProblem } from '../../content/text-fields.js';

declare module 'express-serve-static-core' {
  interface Request {
    /** What the reading of a file has to say beside its text. */
    importWarnings?: readonly FieldProblem[];
    /** What the file was, for the audit log. */
    importedFrom?: { format: ImportFormat; bytes: number };
  }
}

/**
 * Reads an uploaded file as the body of a creation. The file is converted before the request may open a transaction, so
 * that none waits for a conversion.
 */
@Injectable()
export class ImportBodyReader implements BodyReader {
  constructor(
    private readonly config: Config,
    private readonly converter: Converter,
  ) {}

  async read(request: Request, _: Response, room: BodyReservation): Promise<void> {
    const upload = await readUpload(request, room, {
      fileField: 'file',
      fields: ['title', 'type', 'externalId', 'format'],
      maxFileBytes: this.config.importLimit,
    });
    const format = formatOfUpload(upload);
    const text = await this.convert(request.principal?.accountId ?? '', upload, format);
    // Refused before it is copied into a body, which takes 0.1 s for 15 MB.
    const issue = contentProblem(text.content);
    if (issue !== undefined) throw invalidFields([{ field: 'content', issue }]);
    request.importedFrom = { format, bytes: upload.file.bytes.length };
    request.importWarnings = text.warnings;
    const members = creationOf(text, upload.fields);
    const body = parseJsonObject(Buffer.from(`{${members}}`));
    // Parsed by itself: 1 MiB of control characters is 6 MiB of JSON.
    const unstorable = unstorableText(text.content);
    if (unstorable !== undefined) throw invalidFields([{ field: 'content', issue: unstorable }]);
    body['content'] = text.content;
    request.body = body;
    const comma = members === '' ? '' : ',';
    request.bodyBytes = Buffer.from(
      `{${members}${comma}"content":${JSON.stringify(text.content)}}`,
    );
    // The event loop turns before the document is written.
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
  const format = wantedFormat(fields.get('format')) ?? formatOf(file.name, file.mediaType);
  if (!format) throw formatUnknown();
  return format;
}

function wantedFormat(sent: string | undefined): ImportFormat | undefined {
  if (sent === undefined) return undefined;
  const known = IMPORT_FORMATS.find((format) => format === sent);
  if (!known) {
    throw invalidFields([
      { field: 'format', issue: `must be one of ${IMPORT_FORMATS.join(', ')}` },
    ]);
  }
  return known;
}

/** The answer to a file whose name and media type say nothing. */
export function formatUnknown(): AppError {
  return invalidFields([
    {
      field: 'format',
      issue: `cannot be told from the name of the file; send one of ${IMPORT_FORMATS.join(', ')}`,
    },
  ]);
}

/** The members of a body of `POST /v1/documents` that says the same, without content: metadata goes through to the letter. */
function creationOf(text: ImportedText, fields: Upload['fields']): string {
  const title = fields.get('title') ?? text.title;
  const type = fields.get('type') ?? text.type;
  const externalId = fields.get('externalId');
  const members = [
    ...(title === undefined ? [] : [`"title":${JSON.stringify(title)}`]),
    ...(type === undefined ? [] : [`"type":${JSON.stringify(type)}`]),
    ...(externalId === undefined ? [] : [`"externalId":${JSON.stringify(externalId)}`]),
    ...(text.metadata === undefined ? [] : [`"metadata":${text.metadata}`]),
  ];
  return members.join(',');
}
