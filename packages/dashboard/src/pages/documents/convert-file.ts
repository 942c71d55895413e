import { bodyOf, type V1Client } from '../../api/client.js';
import { asFailure } from '../../api/failure.js';
import { formatBytes } from '../../components/numbers.js';
import type { ConvertedFile } from './editor/paste/files.js';

/** Converts an HTML or DOCX file on the server and stores nothing. Throws an error with a message for the author. */
export async function convertFile(
  api: V1Client,
  file: File,
  signal: AbortSignal,
): Promise<ConvertedFile> {
  const form = new FormData();
  form.append('file', file);
  try {
    const { data, meta } = await bodyOf(
      api.POST('/v1/documents/import', {
        params: { query: { dryRun: true } },
        body: { file: '' },
        bodySerializer: () => form,
        signal,
      }),
    );
    const warnings = (meta.warnings ?? []).map(({ issue }) => issue);
    return { content: data.content, warnings };
  } catch (error) {
    throw new Error(reasonOf(error), { cause: error });
  }
}

/** Returns one sentence that says why a file was not imported. */
export function reasonOf(error: unknown): string {
  const failure = asFailure(error);
  const { maxBytes } = failure.details;
  if (failure.status === 0) return "The server can't be reached.";
  if (maxBytes !== undefined) return `The file is larger than ${formatBytes(maxBytes)}.`;
  if (failure.problemOf('format') !== undefined) {
    return 'This file type is not supported. Use a Markdown, HTML or Word (DOCX) file.';
  }
  const issue = failure.problemOf('file');
  return issue === undefined ? failure.message : `The file ${issue}.`;
}
