/** Where the content of large answers is read again: an idempotency record stores only which version it was. */
export abstract class StoredContents {
  abstract find(
    document: { accountId: string; id: string },
    version: number,
  ): Promise<{ content: string } | undefined>;
}
