import type { V1Client } from '../../api/client.js';
import { followJob, type Job } from './follow-job.js';

export const EXPORT_FORMATS = [
  ['md', 'Markdown'],
  ['html', 'HTML'],
  ['docx', 'Word'],
  ['pdf', 'PDF'],
] as const;

export type ExportFormat = (typeof EXPORT_FORMATS)[number][0];

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
  download(data as Blob, fileNameOf(response) ?? `document.${format}`);
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

/** Time for the browser to start reading the file, in ms. */
const RELEASE_AFTER = 60_000;

function download(file: Blob, name: string): void {
  const url = URL.createObjectURL(file);
  downloadFrom(url, name);
  setTimeout(() => {
    URL.revokeObjectURL(url);
  }, RELEASE_AFTER);
}

/** Has the browser download a URL as a file. */
export function downloadFrom(url: string, name: string): void {
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
}
