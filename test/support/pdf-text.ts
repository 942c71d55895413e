import { spawn } from 'node:child_process';
import { join } from 'node:path';

export interface PdfText {
  title: string;
  pages: string[];
  links: string[];
  outline: string[];
}

/** What another program reads in a PDF. */
export async function readPdf(bytes: Uint8Array): Promise<PdfText> {
  const reader = spawn(process.execPath, [join(__dirname, 'read-pdf.mjs')], {
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const chunks: Buffer[] = [];
  reader.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
  reader.stdin.end(bytes);
  const code = await new Promise((resolve) => reader.once('close', resolve));
  if (code !== 0) throw new Error('No program can read this PDF.');
  return JSON.parse(Buffer.concat(chunks).toString('utf8')) as PdfText;
}
