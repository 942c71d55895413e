/** The service that the programs call, and the response fields that the test checks. */
export const origin = process.env['DOCUMENT_SERVICE_URL'] ?? '';
export const key = process.env['DOCUMENT_SERVICE_KEY'] ?? '';
export const authorization = { Authorization: `Bearer ${key}` };

interface Found {
  id: string;
  title: string;
}

/** Prints what a client received, for the test. Throws unless it created, read and listed the same document. */
export function report(created: Found, read: Found, listed: readonly Found[]): void {
  for (const document of [read, listed.find(({ id }) => id === created.id)]) {
    if (document?.id !== created.id || document.title !== created.title) {
      throw new Error(`Created ${JSON.stringify(created)}, then found ${JSON.stringify(document)}`);
    }
  }
  console.log(JSON.stringify({ id: created.id, title: created.title }));
}
