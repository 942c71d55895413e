import type { V1Client } from '../../api/client.js';
import { saveBlob } from '../../components/save-file.js';
import { followJob, type Job } from './follow-job.js';

export type ExportFormat = 'md' | 'html' | 'docx' | 'pdf';

/** Exports a file, waits for the job of a large one, and downloads it. */
export async function exportDocument(
  api: V1Client,
  id: string,
  format: ExportFormat,
): Promise<void> {
  let { response, data } = await api.GET('/v1/documents/{id}/export', {
    params: { path: { id }, query: { format } },
    parseAs: 'blob',
  });
  if (response.status === 202) {
    const { data: job } = JSON.parse(await (data as Blob).text()) as { data: Job };
    await followJob(api, job.id);
    ({ response, data } = await api.GET('/v1/jobs/{id}/result', {
      params: { path: { id: job.id } },
      parseAs: 'blob',
    }));
  }
  saveBlob(fileNameOf(response) ?? `document.${format}`, data as Blob);
}

/** Returns the file name from `Content-Disposition`. */
export function fileNameOf({ headers }: Pick<Response, 'headers'>): string | undefined {
  const header = headers.get('Content-Disposition') ?? '';
  const encoded = /filename\*=UTF-8''([^;]+)/i.exec(header)?.[1];
  if (encoded !== undefined) return decodeURIComponent(encoded);
  return (
    /filename="((?:[^"\\]|\\.)*)"/i.exec(header)?.[1]?.replaceAll(/\\(.)/g, '$1') ??
    /filename=([^;\s]+)/i.exec(header)?.[1]
  );
}
