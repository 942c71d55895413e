import busboy, { type Busboy } from 'busboy';
import type { Request } from 'express';
import { AppError, invalidFields, type FieldProblem } from '../../basics/errors/app-error.js';
import { unknownNameIssue } from '../envelope/nearest-name.js';
import type { BodyReservation } from './body-budget.js';
import { invalidBody } from './json-text.js';
import { announcedLength, BufferBuilder, receiveBody } from './receive-body.js';

/** A form with one file. */
export interface Upload {
  file: UploadedFile;
  /** The other submitted fields, by name. */
  fields: ReadonlyMap<string, string>;
}

interface UploadedFile {
  bytes: Buffer;
  /** File name without folders, as sent; may be empty. */
  name: string;
  mediaType: string;
}

interface UploadForm {
  fileField: string;
  /** Names of the other accepted fields. */
  fields: readonly string[];
  maxFileBytes: number;
}

const MAX_FIELD_BYTES = 16 * 1024;
/** Maximum size of everything but the file: fields, part headers, boundaries. */
const OVERHEAD_BYTES = 512 * 1024;

/**
 * Reads a `multipart/form-data` body with one file. Throws `unsupported_media_type`, `payload_too_large`, an error of the
 * reservation, or `bad_request` that names every invalid field.
 */
export async function readUpload(
  request: Request,
  reservation: BodyReservation,
  form: UploadForm,
): Promise<Upload> {
  const reading = new UploadReading(form, announcedLength(request));
  await receive(request, reservation, reading, parserFor(request, form), form);
  return reading.finish();
}

function parserFor({ headers }: Request, { maxFileBytes }: UploadForm): Busboy {
  const encoding = headers['content-encoding'];
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') {
    throw unsupported(
      'Content-Encoding',
      'is not identity',
      'Send the body without Content-Encoding.',
    );
  }
  const type = headers['content-type'] ?? '';
  if (!/^multipart\/form-data\s*;/i.test(type) || !/boundary=/i.test(type)) {
    throw unsupported(
      'Content-Type',
      type === '' ? 'is missing' : 'is not multipart/form-data with a boundary',
      'Send the file as multipart/form-data.',
    );
  }
  const limits = {
    fieldNameSize: 200,
    fieldSize: MAX_FIELD_BYTES,
    fields: 30,
    // One byte more than allowed, to detect larger files.
    fileSize: maxFileBytes + 1,
    files: 2,
    parts: 40,
    headerPairs: 40,
  };
  try {
    return busboy({ headers, limits, defParamCharset: 'utf8' });
  } catch {
    throw unsupported('Content-Type', 'cannot be read', 'Send the file as multipart/form-data.');
  }
}

async function receive(
  request: Request,
  reservation: BodyReservation,
  reading: UploadReading,
  parser: Busboy,
  { maxFileBytes }: UploadForm,
): Promise<void> {
  let failure: AppError | undefined;
  const fail = (error: AppError) => {
    failure ??= error;
  };
  parser.on('file', (name, stream, { filename, mimeType, encoding }) => {
    const take = reading.openFile(name, { filename, mimeType, encoding });
    stream.on('data', (chunk: Buffer) => {
      const refusal = take(chunk);
      if (refusal) fail(refusal);
    });
    // The parser reports a truncated form.
    stream.on('error', () => undefined);
  });
  parser.on('field', (name, value, { valueTruncated, nameTruncated }) => {
    reading.addField(name, value, valueTruncated || nameTruncated);
  });
  for (const limit of ['partsLimit', 'fieldsLimit', 'filesLimit'] as const) {
    parser.on(limit, () => {
      fail(invalidBody('has too many parts; send the file once and each field once'));
    });
  }
  const parsed = new Promise<void>((resolve) => {
    parser.once('close', resolve);
    parser.on('error', () => {
      fail(invalidBody('is not well-formed multipart/form-data; send it again'));
      resolve();
    });
  });
  const bounds = {
    maxBytes: maxFileBytes + OVERHEAD_BYTES,
    tooLarge: () => tooLarge(maxFileBytes),
  };
  await receiveBody(request, reservation, bounds, (piece) => {
    parser.write(piece);
    if (failure) throw failure;
  });
  parser.end();
  await parsed;
  // The last piece may have failed.
  if (failure) throw failure;
}

/** The parts of a form that have arrived, and their problems. */
class UploadReading {
  private readonly fields = new Map<string, string>();
  private readonly problems: FieldProblem[] = [];
  private readonly bytes: BufferBuilder;
  private file: Omit<UploadedFile, 'bytes'> | undefined;

  constructor(
    private readonly form: UploadForm,
    expectedBytes: number,
  ) {
    this.bytes = new BufferBuilder(expectedBytes);
  }

  /** Returns a function that takes the bytes of the file. It returns an error to refuse them. */
  openFile(
    field: string,
    part: { filename: string | undefined; mimeType: string; encoding: string },
  ): (chunk: Buffer) => AppError | undefined {
    const { fileField, maxFileBytes } = this.form;
    if (field !== fileField || this.file) {
      const issue = this.file ? 'is given twice; send one file' : this.unknown(field);
      this.problems.push({ field, issue });
      return () => undefined;
    }
    if (/base64|quoted-printable/i.test(part.encoding)) {
      this.problems.push({
        field,
        issue: `is sent as ${part.encoding}; send its bytes unencoded`,
      });
    }
    this.file = { name: part.filename ?? '', mediaType: part.mimeType };
    return (chunk) => {
      if (this.bytes.size + chunk.length > maxFileBytes) return tooLarge(maxFileBytes);
      this.bytes.append(chunk);
      return undefined;
    };
  }

  addField(field: string, value: string, truncated: boolean): void {
    const issue = this.problemOf(field, truncated);
    if (issue === undefined) this.fields.set(field, value);
    else this.problems.push({ field, issue });
  }

  /** Returns the form. Throws `bad_request` if it has problems. */
  finish(): Upload {
    const { fileField } = this.form;
    if (!this.file) this.problems.unshift({ field: fileField, issue: 'required field missing' });
    const [first, ...rest] = this.problems;
    if (first || !this.file)
      throw invalidFields([first ?? { field: fileField, issue: '' }, ...rest]);
    return { file: { ...this.file, bytes: this.bytes.bytes() }, fields: this.fields };
  }

  private problemOf(field: string, truncated: boolean): string | undefined {
    if (field === this.form.fileField) return 'must be a file: a part with a filename';
    if (!this.form.fields.includes(field)) return this.unknown(field);
    if (this.fields.has(field)) return 'is given twice; send it once';
    return truncated ? `must not be larger than ${String(MAX_FIELD_BYTES)} bytes` : undefined;
  }

  private unknown(field: string): string {
    return unknownNameIssue(field, [this.form.fileField, ...this.form.fields]);
  }
}

export function tooLarge(maxBytes: number): AppError {
  return new AppError(
    'payload_too_large',
    `The file is larger than ${String(maxBytes)} bytes. Send a smaller one.`,
    { maxBytes },
  );
}

function unsupported(field: string, issue: string, message: string): AppError {
  return new AppError('unsupported_media_type', message, { field, issue });
}
