import { spawn } from 'node:child_process';
import { join } from 'node:path';

export interface PdfText {
  title: string;
  pages: string[];
  /** Where the text of each page is. */
  layouts: PdfLayout[];
  links: string[];
  outline: string[];
}

/** Lengths in points, measured from the lower left corner of the page. */
export interface PdfLayout {
  width: number;
  height: number;
  texts: PlacedText[];
}

export interface PlacedText {
  text: string;
  x: number;
  y: number;
  width: number;
  /** Font size. */
  size: number;
}

/** Reads a PDF with a different program. */
export async function readPdf(bytes: Uint8Array): Promise<PdfText> {
  const reader = spawn(process.execPath, [join(__dirname, 'read-pdf.mjs')], {
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const chunks: Buffer[] = [];
  reader.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
  reader.stdin.end(bytes);
  const code = await new Promise((resolve) => reader.once('close', resolve));
  if (code !== 0) throw new Error('This PDF cannot be read.');
  return JSON.parse(Buffer.concat(chunks).toString('utf8')) as PdfText;
}
